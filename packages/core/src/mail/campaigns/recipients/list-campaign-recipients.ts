import { z } from "zod";
import { searchField } from "../../../calls/input/search-field.ts";
import { type Page, pagesOf, paging } from "../../../calls/paging.ts";
import { useCase } from "../../../calls/use-case.ts";
import { campaignOutcomes } from "../../../ports/storage.ts";
import { parseAddress } from "../../../rules/addresses.ts";
import { campaignId } from "../campaign-fields.ts";
import { type CampaignRecipientView, findCampaignOrThrow, viewRecipient } from "../campaign-view.ts";

const pages = pagesOf("campaign recipients");

/**
 * Lists a campaign's recipients in the order of its list, with the state of each; the e-mail itself has further
 * details (platform.md P9).
 */
export const listCampaignRecipients = useCase({
  access: "campaigns:read",
  reads: true,
  input: z.strictObject({
    campaignId,
    ...paging,
    state: z
      .enum(["pending", "queued", "settled", "skipped", "cancelled"])
      .optional()
      .describe(
        "Only recipients in this state. The e-mail of a `queued` one is on its way, that of a `settled` one has its outcome.",
      ),
    emailStatus: z
      .enum(campaignOutcomes)
      .optional()
      .describe("Only recipients whose e-mail has this outcome."),
    q: searchField(254).describe("A part of the address."),
  }),
  async run(
    { storage, workspace },
    { campaignId: id, state, emailStatus, q, ...asked },
  ): Promise<Page<CampaignRecipientView>> {
    const campaign = await findCampaignOrThrow(storage, workspace.id, id);
    const found = await storage.campaigns.recipients(
      campaign,
      { state, emailStatus, q: q ? (parseAddress(q) ?? q) : undefined },
      pages.sliceOf(asked),
    );
    return pages.pageOf(found, asked, viewRecipient);
  },
});
