import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { fieldError, ServiceError } from "../errors.ts";
import { getWorkspaceOrThrow } from "./workspace-view.ts";

/**
 * Deletes the workspace with all that belongs to it; its exact name is the confirmation (decisions §2). The only one of a service that
 * has one stays.
 */
export const deleteWorkspace = useCase({
  access: "workspace:delete",
  input: z.strictObject({
    name: z.string().max(200).describe("The workspace's name, to confirm what is deleted."),
  }),
  async prepare({ runtime, workspace }): Promise<undefined> {
    if ((await runtime.onlyWorkspace?.id()) === workspace.id)
      throw new ServiceError("forbidden", { message: "The service's only workspace can't be deleted." });
  },
  async run({ storage, workspace, emit }, { name }): Promise<void> {
    const before = await getWorkspaceOrThrow(storage, workspace.id);
    if (name.trim().normalize("NFC") !== before.name)
      throw fieldError("name", "must be the name of the workspace, as a confirmation");
    if (!(await storage.workspaces.delete(workspace.id))) throw new ServiceError("not_found");
    emit("workspace.deleted", { metadata: { id: workspace.id, name: before.name } });
  },
});
