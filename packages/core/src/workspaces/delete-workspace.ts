import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { fieldError, ServiceError } from "../errors.ts";
import type { EmptiedTo, Repositories } from "../ports/storage.ts";
import { getWorkspaceOrThrow } from "./workspace-view.ts";

/** Ms for which the workspace is marked as being deleted: if the process dies, it sends again afterwards. */
const markMs = 60_000;
/** Number of rows that one transaction removes: other transactions run between two of them. */
const piece = 500;

/**
 * Deletes the workspace with everything in it. Its exact name is the confirmation (decisions §2). Large tables, such as
 * e-mails, are deleted first, in pieces, and meanwhile the workspace sends nothing more. After an interrupted deletion it
 * remains without those rows, sends again within a minute, and can be deleted again. The only workspace of a
 * single-workspace service can't be deleted.
 */
export const deleteWorkspace = useCase({
  access: "workspace:delete",
  locksWorkspace: true,
  preparesInTurn: true,
  input: z.strictObject({
    // As long as the name may be when it is given: it is the same one decomposed.
    name: z.string().trim().max(400).describe("The workspace's name, to confirm the deletion."),
  }),
  async prepare({ runtime, workspace, storage }, { name }): Promise<undefined> {
    if (await runtime.onlyWorkspace?.is(workspace.id, storage))
      throw new ServiceError("forbidden", { message: "The service's only workspace can't be deleted." });
    await assertNamed(storage, workspace.id, name);
    let markedUntil = 0;
    /** Whether this round, from the first table to the last, has removed any: others may have added rows behind it. */
    let hasRemoved = false;
    let from: EmptiedTo | undefined;
    do {
      const now = runtime.queueClock.now();
      if (now > markedUntil - markMs / 2) {
        markedUntil = now + markMs;
        await storage.workspaces.markDeleting(workspace.id, markedUntil);
      }
      if (from === undefined) hasRemoved = false;
      const { removed, next } = await storage.workspaces.empty(workspace.id, piece, from);
      hasRemoved ||= removed > 0;
      from = next;
    } while (from !== undefined || hasRemoved);
  },
  async run({ storage, workspace, emit }, { name }): Promise<void> {
    const confirmed = await assertNamed(storage, workspace.id, name);
    if (!(await storage.workspaces.delete(workspace.id))) throw new ServiceError("not_found");
    emit("workspace.deleted", { metadata: { id: workspace.id, name: confirmed } });
  },
});

async function assertNamed(storage: Repositories, id: number, given: string): Promise<string> {
  const { name } = await getWorkspaceOrThrow(storage, id);
  if (given.normalize("NFC") !== name)
    throw fieldError("name", "must be the name of the workspace, as a confirmation");
  return name;
}
