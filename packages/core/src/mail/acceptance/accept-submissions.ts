import type { Repositories, Topic } from "../../ports/storage.ts";
import { decideSubmissions } from "./decide-submissions.ts";
import { findStaying } from "./find-sending-workspace.ts";
import { type AcceptedSubmission, leavesNothing, recordSubmissions } from "./record-submissions.ts";
import { isLarge, type Submission, type SubmissionOutcome } from "./submission.ts";

/**
 * Decides over a batch of submissions and records the accepted ones, in the given transaction; each is accepted as a
 * whole or leaves nothing. No two may have the same key.
 */
export async function acceptSubmissions(
  storage: Repositories,
  submissions: Submission[],
): Promise<SubmissionOutcome[]> {
  // Preparing a large batch takes seconds, in which its workspace may have been marked for deletion. Of smaller ones,
  // what is accepted beside the mark is deleted with the rest.
  for (const submission of submissions)
    if (isLarge(submission)) await findStaying(storage, submission.workspaceId, submission.preparedAt ?? 0);
  const outcomes = await decideSubmissions(storage, submissions);
  const accepted = submissions.flatMap((submission, index): AcceptedSubmission[] => {
    const outcome = outcomes[index];
    return outcome?.kind === "accepted" ? [{ submission, outcome }] : [];
  });
  if (!accepted.every(leavesNothing)) await recordSubmissions(storage, accepted);
  return outcomes;
}

/** Returns the topics to notify once accepted submissions are committed. */
export function topicsOf(outcomes: readonly SubmissionOutcome[]): Topic[] {
  const items = outcomes.flatMap((outcome) => (outcome.kind === "accepted" ? outcome.items : []));
  if (items.length === 0) return [];
  const webhooks = items.some(({ deliveries }) => deliveries.length > 0);
  return webhooks ? ["emails", "events", "webhooks"] : ["emails", "events"];
}
