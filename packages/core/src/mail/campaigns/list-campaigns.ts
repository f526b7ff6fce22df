import { z } from "zod";
import { searchField } from "../../calls/input/search-field.ts";
import { type Page, pagesOf, paging } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { campaignStatuses } from "./campaign-fields.ts";
import { type CampaignView, viewCampaigns } from "./campaign-view.ts";

const pages = pagesOf("campaigns");

/** Lists the workspace's campaigns, newest first (platform.md P9). */
export const listCampaigns = useCase({
  access: "campaigns:read",
  reads: true,
  input: z.strictObject({
    ...paging,
    status: z.enum(campaignStatuses).optional().describe("Only campaigns with this status."),
    q: searchField(100).describe("A part of the name."),
  }),
  async run({ storage, workspace, now }, { status, q, ...asked }): Promise<Page<CampaignView>> {
    const filter = { workspaceId: workspace.id, status, q: q || undefined };
    const found = await storage.campaigns.list(filter, pages.sliceOf(asked));
    const items = await viewCampaigns(storage, found.items, now);
    return pages.pageOf({ ...found, items }, asked, (campaign) => campaign);
  },
});
