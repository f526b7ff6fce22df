import { z } from "zod";
import { type Page, pagesOf, paging } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type ApiKeyView, viewApiKey } from "./api-key-view.ts";

const pages = pagesOf("API keys");

/** Lists the workspace's unrevoked keys, newest first (decisions §8). */
export const listApiKeys = useCase({
  access: "api_keys:read",
  reads: true,
  input: z.strictObject(paging),
  async run({ storage, workspace }, asked): Promise<Page<ApiKeyView>> {
    return pages.pageOf(await storage.apiKeys.list(workspace.id, pages.sliceOf(asked)), asked, viewApiKey);
  },
});
