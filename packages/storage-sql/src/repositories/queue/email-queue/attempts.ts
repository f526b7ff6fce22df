import type { EmailAttempt } from "@posthorn/core/storage";
import { bulkInsert } from "../../../bulk-insert.ts";
import type { Engine, Handle } from "../../../engine.ts";

const insert = bulkInsert("email_attempts");

/** An attempt with its e-mail's row id. */
export interface AttemptOf {
  emailId: number;
  attempt: EmailAttempt;
}

export async function insertAttempts(db: Handle, engine: Engine, attempts: AttemptOf[]): Promise<void> {
  const rows = attempts.map(({ emailId, attempt }) => ({
    email_id: emailId,
    number: attempt.number,
    started_at: attempt.startedAt,
    ended_at: attempt.endedAt ?? null,
    worker: attempt.worker,
    outcome: attempt.outcome,
    in_doubt: attempt.inDoubt,
    reply: attempt.reply,
    smtp_server_id: attempt.smtpServerId ?? null,
    trace: attempt.trace ?? null,
  }));
  await insert(db, engine, rows);
}

/**
 * An attempt whose worker never reported a result: the server may have accepted its message (reliability.md, promise
 * 2).
 */
export const interruptedAttempt = (
  item: { attempts: number },
  claim: { worker: string; claimed_at: number },
): EmailAttempt => ({
  number: item.attempts + 1,
  startedAt: claim.claimed_at,
  endedAt: undefined,
  worker: claim.worker,
  outcome: "interrupted",
  inDoubt: true,
  reply: "",
  smtpServerId: undefined,
});
