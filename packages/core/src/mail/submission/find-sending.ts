import { ServiceError } from "../../errors.ts";
import type { Repositories, SendingContext } from "../../ports/storage.ts";
import type { SubmittingContext } from "./email-draft.ts";

/**
 * Returns the data of the call's workspace that sending needs. Throws `not_found` if the workspace is gone, or is being
 * deleted.
 */
export async function findSending({
  sending,
  workspace,
  runtime,
}: Pick<SubmittingContext, "sending" | "workspace" | "runtime">): Promise<SendingContext> {
  const found = await sending.lookups.findSendingContext(workspace.id);
  assertStays(found, runtime.queueClock.now());
  return found;
}

/** Returns a workspace's data, read in a transaction. Throws `not_found` if it is gone, or is being deleted at `now`. */
export async function findStaying(
  { apiKeys }: Pick<Repositories, "apiKeys">,
  workspaceId: number,
  now: number,
): Promise<SendingContext> {
  const [found] = await apiKeys.findSendingContexts([workspaceId]);
  assertStays(found, now);
  return found;
}

function assertStays(found: SendingContext | undefined, now: number): asserts found is SendingContext {
  if (isDeleting(found, now))
    throw new ServiceError("not_found", { message: "The workspace is being deleted." });
  if (found === undefined) throw new ServiceError("not_found", { message: "There is no such workspace." });
}

/**
 * Whether the workspace is being deleted, piece by piece: what it still sent would have to be deleted, too. `now` is the
 * database's time, as the mark may be another process's.
 */
export const isDeleting = (sending: SendingContext | undefined, now: number): boolean =>
  (sending?.deletingUntil ?? 0) > now;
