import type { ReadContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Repositories, SendingWorkspace } from "../../ports/storage.ts";

/** Returns the call's workspace as a send needs it. Throws `not_found` if it is gone, or is being deleted. */
export async function findSendingWorkspace({
  acceptance,
  workspace,
  runtime,
}: Pick<ReadContext<"api_key">, "acceptance" | "workspace" | "runtime">): Promise<SendingWorkspace> {
  const found = await acceptance.lookups.findSendingWorkspace(workspace.id);
  assertStays(found, runtime.queueClock.now());
  return found;
}

/**
 * Returns a workspace as a send needs it, read in a transaction. Throws `not_found` if it is gone, or is being deleted at
 * `now`.
 */
export async function findStaying(
  { workspaces }: Pick<Repositories, "workspaces">,
  workspaceId: number,
  now: number,
): Promise<SendingWorkspace> {
  const [found] = await workspaces.listSending([workspaceId]);
  assertStays(found, now);
  return found;
}

function assertStays(found: SendingWorkspace | undefined, now: number): asserts found is SendingWorkspace {
  if (isDeleting(found, now))
    throw new ServiceError("not_found", { message: "The workspace is being deleted." });
  if (found === undefined) throw new ServiceError("not_found", { message: "There is no such workspace." });
}

/**
 * Whether the workspace is being deleted, piece by piece: what it still sent would have to be deleted, too. `now` is the
 * database's time, as the mark may be another process's.
 */
export const isDeleting = (workspace: SendingWorkspace | undefined, now: number): boolean =>
  (workspace?.deletingUntil ?? 0) > now;

/** Whether a send looks up the sender's domain: the choice of a server depends on the signature, too. */
export const asksDomain = ({ isTrusted, settings, servers }: SendingWorkspace): boolean =>
  !isTrusted || settings.requireVerifiedDomain || servers.length > 0;
