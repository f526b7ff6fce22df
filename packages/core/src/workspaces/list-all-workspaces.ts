import { z } from "zod";
import { searchField } from "../calls/input/search-field.ts";
import { type Page, pagesOf, paging } from "../calls/paging.ts";
import { useCase } from "../calls/use-case.ts";
import { type AdministeredWorkspace, viewAdministered } from "./workspace-view.ts";

const pages = pagesOf("all workspaces");

/** Lists all workspaces, newest first. `q` is searched in the name (decisions §2). */
export const listAllWorkspaces = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({
    ...paging,
    q: searchField(200).describe("Lists only workspaces whose name contains this text."),
  }),
  async run({ storage }, { q, ...asked }): Promise<Page<AdministeredWorkspace>> {
    const found = await storage.workspaces.list({ q: q || undefined }, pages.sliceOf(asked));
    return pages.pageOf(found, asked, viewAdministered);
  },
});
