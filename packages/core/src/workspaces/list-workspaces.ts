import { z } from "zod";
import { type Page, pagesOf, paging } from "../calls/paging.ts";
import { useCase } from "../calls/use-case.ts";
import { viewWorkspace, type WorkspaceView } from "./workspace-view.ts";

const pages = pagesOf("workspaces");

/** Lists the caller's workspaces with the caller's role in each, newest first (decisions §2). */
export const listWorkspaces = useCase({
  access: "user",
  reads: true,
  input: z.strictObject(paging),
  async run({ storage, caller }, asked): Promise<Page<WorkspaceView>> {
    const found = await storage.workspaces.listFor(caller.userId, pages.sliceOf(asked));
    return pages.pageOf(found, asked, (workspace) => viewWorkspace(workspace, workspace.role));
  },
});
