import { z } from "zod";
import { onlyPage, type Page } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type ApiKeyView, viewApiKey } from "./api-key-view.ts";

/** Lists the workspace's unrevoked keys, newest first (decisions §8). */
export const listApiKeys = useCase({
  access: "api_keys:read",
  reads: true,
  input: z.strictObject({}),
  async run({ storage, workspace }): Promise<Page<ApiKeyView>> {
    return onlyPage((await storage.apiKeys.list(workspace.id)).map(viewApiKey));
  },
});
