import { z } from "zod";
import { type Page, pageOf, paging, sliceOf } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type ApiKeyView, viewApiKey } from "./api-key-view.ts";

/** Lists the workspace's unrevoked keys, newest first (decisions §8). */
export const listApiKeys = useCase({
  access: "api_keys:read",
  reads: true,
  input: z.strictObject(paging),
  async run({ storage, workspace }, asked): Promise<Page<ApiKeyView>> {
    return pageOf(await storage.apiKeys.list(workspace.id, sliceOf(asked)), asked, viewApiKey);
  },
});
