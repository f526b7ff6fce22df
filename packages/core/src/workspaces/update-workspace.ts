import { z } from "zod";
import { atLeastOne } from "../calls/input/at-least-one.ts";
import { workspaceName } from "../calls/input/name-field.ts";
import { orNotFound } from "../calls/or-not-found.ts";
import { useCase } from "../calls/use-case.ts";
import { getWorkspaceOrThrow, viewWorkspace, type WorkspaceView } from "./workspace-view.ts";

/** Renames the workspace (decisions §2). */
export const updateWorkspace = useCase({
  access: "workspace:update",
  // The lock makes the event report the actual change.
  locksWorkspace: true,
  input: z
    .strictObject({
      name: workspaceName
        .optional()
        .describe("The workspace's name: at most 100 characters on one line, without a link."),
    })
    .apply(atLeastOne),
  async run({ storage, workspace, now, emit }, { name }): Promise<WorkspaceView> {
    const before = await getWorkspaceOrThrow(storage, workspace.id);
    if (name === undefined || name === before.name) return viewWorkspace(before, workspace.role);
    const updated = orNotFound(await storage.workspaces.update(workspace.id, { name, updatedAt: now }));
    emit("workspace.updated", { metadata: { changes: { name: { from: before.name, to: name } } } });
    return viewWorkspace(updated, workspace.role);
  },
});
