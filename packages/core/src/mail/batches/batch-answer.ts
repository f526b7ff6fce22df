import { ServiceError } from "../../errors.ts";
import type { BatchedEmail, Repositories, SkippedEmail } from "../../ports/storage.ts";
import type { Accepted } from "../acceptance/submission.ts";
import { statusOf } from "../submission/create-submission.ts";
import type { RequestedBatch } from "./read-batch.ts";

/** The answer to a batch: its e-mails, and the items without one. */
export interface SentBatch {
  /** The batch's id, a UUID, for reading and cancelling it. */
  batchId: string;
  /** E-mails in the order of the request; `index` is the item's position there, from 0. */
  emails: (BatchedEmail & { to: string; key: string | undefined })[];
  /** Items for which no e-mail was accepted, each with a reason. */
  skipped: SkippedEmail[];
  /** Whether it is the batch of an earlier call with the same `idempotencyKey`, and nothing was sent. */
  replayed: boolean;
}

/** Returns the answer to a batch that was just accepted. */
export function answerOf(
  batchId: string,
  asked: RequestedBatch,
  { items }: Accepted,
  skipped: readonly SkippedEmail[],
): SentBatch {
  const emails = items.map(({ email }) => ({
    id: email.id,
    index: email.batchIndex ?? 0,
    status: statusOf(email),
  }));
  return {
    batchId,
    emails: emails.map((email) => withNames(asked, email)),
    skipped: [...skipped],
    replayed: false,
  };
}

/** Returns the answer to a repeated batch request from stored data, with the e-mails' current statuses. */
export async function repeatAnswer(
  { batches }: Pick<Repositories, "batches">,
  asked: RequestedBatch,
  { workspaceId, batchId, now }: { workspaceId: number; batchId: string; now: number },
): Promise<SentBatch> {
  const batch = await batches.find(workspaceId, batchId);
  if (batch === undefined) throw new ServiceError("not_found", { message: "The batch was removed." });
  const [emails, skipped] = await Promise.all([batches.emails(batch, now), batches.skipped(batch)]);
  return {
    batchId,
    emails: emails.map((email) => withNames(asked, email)),
    skipped,
    replayed: true,
  };
}

const withNames = ({ items }: RequestedBatch, email: BatchedEmail): SentBatch["emails"][number] => {
  const { to = "", key } = items[email.index] ?? {};
  return { ...email, to, key };
};
