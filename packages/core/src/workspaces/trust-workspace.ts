import { z } from "zod";
import { useCase, type WriteContext } from "../calls/use-case.ts";
import { type AdministeredWorkspace, getWorkspaceOrThrow, viewAdministered } from "./workspace-view.ts";

const input = z.strictObject({
  workspaceId: z.int("must be a workspace's number").positive().describe("The workspace's number."),
});

/**
 * Trusts a workspace: it may then send from the server's default sender and through its mail server (decisions §12).
 */
export const trustWorkspace = useCase({
  access: "administrator",
  input,
  locks: ({ workspaceId }) => ({ workspaceId }),
  run: (context, { workspaceId }): Promise<AdministeredWorkspace> => setTrust(context, workspaceId, true),
});

/**
 * Withdraws the trust: the workspace sends only from its own verified domains, or through mail servers of its own. That
 * also holds for e-mails that wait, except those of the last minute.
 */
export const distrustWorkspace = useCase({
  access: "administrator",
  input,
  locks: ({ workspaceId }) => ({ workspaceId }),
  run: (context, { workspaceId }): Promise<AdministeredWorkspace> => setTrust(context, workspaceId, false),
});

async function setTrust(
  { storage, now, emit }: Pick<WriteContext, "storage" | "now" | "emit">,
  workspaceId: number,
  isTrusted: boolean,
): Promise<AdministeredWorkspace> {
  const before = await getWorkspaceOrThrow(storage, workspaceId);
  if (before.isTrusted === isTrusted) return viewAdministered(before);
  const after = await storage.workspaces.update(workspaceId, { isTrusted, updatedAt: now });
  emit(isTrusted ? "workspace.trusted" : "workspace.distrusted", { workspaceId });
  return viewAdministered(after ?? before);
}
