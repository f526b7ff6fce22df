import { ServiceError } from "../../errors.ts";
import type { BatchedEmail, SkippedEmail } from "../../ports/storage/batches.ts";
import type { Repositories } from "../../ports/storage.ts";
import { statusOf } from "../submission/create-submission.ts";
import type { Accepted } from "../submission/submission.ts";
import type { AskedBatch } from "./read-batch.ts";

/** What became of the e-mails of a batch. */
export interface SentBatch {
  /** The batch's id, a UUID, by which it is read and cancelled. */
  batchId: string;
  /** In the order of the request; `index` is the place there, from 0. */
  emails: (BatchedEmail & { to: string; key: string | undefined })[];
  /** Items that became no e-mail, and why. */
  skipped: SkippedEmail[];
}

/** The answer to a batch that was just accepted. */
export function answerOf(
  batchId: string,
  asked: AskedBatch,
  { items }: Accepted,
  skipped: readonly SkippedEmail[],
): SentBatch {
  const emails = items.map(({ email }) => ({
    id: email.id,
    index: email.batchIndex ?? 0,
    status: statusOf(email),
  }));
  return { batchId, emails: emails.map((email) => withNames(asked, email)), skipped: [...skipped] };
}

/** Answers a repeated batch request from stored data, with the e-mails' current statuses. */
export async function repeatAnswer(
  { batches }: Pick<Repositories, "batches">,
  asked: AskedBatch,
  { workspaceId, batchId, now }: { workspaceId: number; batchId: string; now: number },
): Promise<SentBatch> {
  const batch = await batches.find(workspaceId, batchId);
  if (batch === undefined) throw new ServiceError("not_found", { message: "The batch is gone." });
  const emails = await batches.emails(batchId, now);
  return { batchId, emails: emails.map((email) => withNames(asked, email)), skipped: batch.skipped };
}

const withNames = ({ items }: AskedBatch, email: BatchedEmail): SentBatch["emails"][number] => {
  const { to = "", key } = items[email.index] ?? {};
  return { ...email, to, key };
};
