import type { EmailAttempt } from "@posthorn/core/storage";
import type { Engine, Handle, ValueType } from "../../../engine.ts";

const attemptTypes = {
  email_id: "bigint",
  number: "bigint",
  started_at: "bigint",
  ended_at: "bigint",
  worker: "text",
  outcome: "text",
  in_doubt: "boolean",
  reply: "text",
  smtp_server_id: "text",
  trace: "text",
} as const satisfies Record<string, ValueType>;

/** An attempt of the e-mail with this row id. */
export interface AttemptOf {
  emailId: number;
  attempt: EmailAttempt;
}

export async function insertAttempts(db: Handle, engine: Engine, attempts: AttemptOf[]): Promise<void> {
  if (attempts.length === 0) return;
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
  await engine.insertRows(db, "email_attempts", attemptTypes, rows);
}

/** The attempt of a worker that never said what came of it: its message may have been taken (reliability.md, promise 2). */
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
