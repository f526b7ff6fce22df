import { z } from "zod";
import { type Page, pagesOf, paging } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type InboundEndpointView, viewEndpoint } from "./endpoint-view.ts";

const pages = pagesOf("inbound endpoints");

/** Lists the endpoints for relays' webhooks, newest first (platform.md P7). */
export const listEndpoints = useCase({
  access: "inbound:write",
  reads: true,
  input: z.strictObject(paging),
  async run({ storage, workspace }, asked): Promise<Page<InboundEndpointView>> {
    const found = await storage.inboundEndpoints.list(workspace.id, pages.sliceOf(asked));
    return pages.pageOf(found, asked, viewEndpoint);
  },
});
