import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { getWorkspaceOrThrow, viewWorkspace, type WorkspaceView } from "./workspace-view.ts";

/** Returns the workspace of the call (decisions §2). */
export const getWorkspace = useCase({
  access: "workspace:read",
  reads: true,
  input: z.strictObject({}),
  async run({ storage, workspace }): Promise<WorkspaceView> {
    return viewWorkspace(await getWorkspaceOrThrow(storage, workspace.id), workspace.role);
  },
});
