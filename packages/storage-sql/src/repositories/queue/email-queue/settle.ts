import type { AttemptResult } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import { deferredWrite } from "../../../deferred.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { columnsOf } from "../../../tables.ts";
import { countEmails } from "../../mail/emails/count.ts";
import { insertOutcomes } from "../../mail/emails/insert-outcomes.ts";
import { insertAttempts } from "./attempts.ts";
import { enqueue, type ItemRow, takeItems } from "./give-back.ts";

const recipientTypes = columnsOf("email_recipients", [
  "email_id",
  "kind",
  "address",
  "state",
  "attempts",
  "last_code",
  "last_reply",
  "remote_id",
  "missing_since",
  "settled_at",
]);

interface Fit {
  item: ItemRow;
  result: AttemptResult;
}

/** Records attempts whose claim is still valid; returns these. */
export const settleEmails = (
  db: Handle,
  engine: Engine,
  results: AttemptResult[],
  now: number,
): Promise<AttemptResult[]> =>
  atomically(db, async (tx) => {
    const fits = await takeFits(tx, engine, results);
    if (fits.length === 0) return [];
    await requeue(tx, engine, fits, now);
    const outcomes = fits.flatMap(({ item, result: { next, workspaceId } }) =>
      "retryAt" in next
        ? []
        : {
            email_id: item.email_id,
            workspace_id: workspaceId ?? null,
            status: next.status,
            settled_at: next.settledAt,
          },
    );
    await insertOutcomes(tx, engine, outcomes);
    await forgetSealed(
      tx,
      engine,
      fits.flatMap(({ item, result: { next, isSealed } }) =>
        isSealed && !("retryAt" in next) ? [item.email_id] : [],
      ),
    );
    await updateRecipients(tx, engine, fits);
    await insertAttempts(
      tx,
      engine,
      fits.flatMap(({ item, result: { attempt } }) =>
        attempt === undefined ? [] : { emailId: item.email_id, attempt },
      ),
    );
    await countEmails(
      tx,
      engine,
      fits.flatMap(({ result: { next, workspaceId } }) =>
        "retryAt" in next ? [] : { workspaceId, status: next.status, change: 1 },
      ),
    );
    return fits.map(({ result }) => result);
  });

async function takeFits(db: Handle, engine: Engine, results: AttemptResult[]): Promise<Fit[]> {
  const byRow = new Map(results.map((result) => [`${result.lease.row} ${result.lease.claimId}`, result]));
  const items = await takeItems(
    db,
    engine,
    results.map(({ lease }) => lease),
  );
  return items
    .sort((a, b) => a.email_id - b.email_id)
    .flatMap((item) => {
      const result = byRow.get(`${item.email_id} ${item.claim_id}`);
      return result === undefined ? [] : { item, result };
    });
}

async function requeue(db: Handle, engine: Engine, fits: Fit[], now: number): Promise<void> {
  const rows = fits.flatMap(({ item, result: { next } }) => {
    if (!("retryAt" in next)) return [];
    const { claim_id: _, ...row } = item;
    return { ...row, due_at: next.retryAt, queued_at: now, attempts: item.attempts + 1 };
  });
  await enqueue(db, engine, rows);
}

const removeSealed = prepared((db, { ids, sealed }: { ids: number[]; sealed: boolean }, engine) =>
  db
    .deleteFrom("email_payloads")
    .where((eb) => engine.anyOf(eb.ref("email_id"), ids, "bigint"))
    .where("is_sealed", "=", sealed),
);

/** Secrets are removed as soon as the e-mail is sent. */
export const forgetSealed = async (db: Handle, engine: Engine, ids: number[]): Promise<void> => {
  if (ids.length > 0) await removeSealed(db, engine, { ids, sealed: true });
};

/** The changes of an attempt to a recipient's row. */
type RecipientChange = Record<keyof typeof recipientTypes, number | string | null>;

const changeRecipients = prepared(
  (_, { rows }: { rows: RecipientChange[] }, engine) => sql<never>`
    update ${engine.table("email_recipients")} as r
    set state = v.state, attempts = r.attempts + v.attempts,
      last_code = v.last_code, last_reply = v.last_reply, remote_id = v.remote_id,
      missing_since = v.missing_since, settled_at = v.settled_at
    from ${engine.valuesToFind("v", recipientTypes, rows)}
    where r.email_id = v.email_id and r.kind = v.kind and r.address = v.address
  `,
  (query) => deferredWrite(query, "email_recipients"),
);

async function updateRecipients(db: Handle, engine: Engine, fits: Fit[]): Promise<void> {
  const rows = fits.flatMap(({ item, result }) =>
    result.recipients.map((recipient) => ({
      email_id: item.email_id,
      kind: recipient.kind,
      address: recipient.address,
      state: recipient.state,
      // The number to add.
      attempts: result.attempt === undefined || recipient.state === "suppressed" ? 0 : 1,
      last_code: recipient.code ?? null,
      last_reply: recipient.lastReply,
      remote_id: recipient.remoteId ?? null,
      missing_since: recipient.domainMissingSince ?? null,
      settled_at: recipient.settledAt ?? null,
    })),
  );
  if (rows.length > 0) await changeRecipients(db, engine, { rows });
}
