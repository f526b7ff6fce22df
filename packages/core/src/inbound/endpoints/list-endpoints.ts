import { z } from "zod";
import { onlyPage, type Page } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type InboundEndpointView, viewEndpoint } from "./endpoint-view.ts";

/** Lists the endpoints for relays' webhooks, newest first (platform.md P7). */
export const listEndpoints = useCase({
  access: "inbound:write",
  reads: true,
  input: z.strictObject({}),
  run: async ({ storage, workspace }): Promise<Page<InboundEndpointView>> =>
    onlyPage((await storage.inboundEndpoints.list(workspace.id)).map(viewEndpoint)),
});
