import { z } from "zod";
import { type Page, pageOf, paging, sliceOf } from "../calls/paging.ts";
import { useCase } from "../calls/use-case.ts";
import { viewWorkspace, type WorkspaceView } from "./workspace-view.ts";

/** Lists the caller's workspaces with the caller's role in each, newest first (decisions §2). */
export const listWorkspaces = useCase({
  access: "user",
  reads: true,
  input: z.strictObject(paging),
  async run({ storage, caller }, asked): Promise<Page<WorkspaceView>> {
    const found = await storage.workspaces.listFor(caller.userId, sliceOf(asked));
    return pageOf(found, asked, (workspace) => viewWorkspace(workspace, workspace.role));
  },
});
