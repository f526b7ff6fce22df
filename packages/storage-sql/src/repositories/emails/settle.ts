import type { AttemptResult } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle, ValueType } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { insertAttempts } from "./attempts.ts";
import { sealedPrefix, withoutSealedData } from "./rows.ts";

const recipientTypes = {
  email_id: "bigint",
  kind: "text",
  address: "text",
  state: "text",
  last_code: "bigint",
  last_reply: "text",
  settled_at: "bigint",
} as const satisfies Record<string, ValueType>;

const statusTypes = {
  email_id: "bigint",
  status: "text",
  sent_at: "bigint",
} as const satisfies Record<string, ValueType>;

const retryTypes = { email_id: "bigint", due_at: "bigint" } as const satisfies Record<string, ValueType>;
const payloadTypes = { email_id: "bigint", payload: "text" } as const satisfies Record<string, ValueType>;

/** The leased queue rows of e-mails, kept until the transaction ends. */
const lockLeases = prepared((db, { uuids }: { uuids: string[] }, engine) =>
  engine.forUpdate(
    db
      .selectFrom("email_queue as q")
      .innerJoin("emails as e", "e.id", "q.email_id")
      .select(["q.email_id", "q.fence", "e.uuid"])
      .select(
        sql<
          boolean | number
        >`substr(e.payload, 1, ${sql.lit(sealedPrefix.length)}) = ${sql.lit(sealedPrefix)}`.as("sealed"),
      )
      .where((eb) => engine.anyOf(eb.ref("e.uuid"), uuids))
      .where("q.lease_until", "is not", null)
      .orderBy("q.email_id"),
  ),
);

const leaveQueue = prepared((db, { ids }: { ids: number[] }, engine) =>
  db.deleteFrom("email_queue").where((eb) => engine.anyOf(eb.ref("email_id"), ids)),
);

const findPayloads = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("emails")
    .select(["id", "payload"])
    .where((eb) => engine.anyOf(eb.ref("id"), ids)),
);

interface Fit {
  emailId: number;
  sealed: boolean;
  result: AttemptResult;
}

/** Records attempts whose fence still fits; the ids that were. */
export const settleEmails = (db: Handle, engine: Engine, results: AttemptResult[]): Promise<string[]> =>
  atomically(db, async (tx) => {
    const fits = await findFits(tx, engine, results);
    if (fits.length === 0) return [];
    const settled = fits.filter(({ result }) => !("retryAt" in result.next));
    await updateQueue(tx, engine, fits, settled);
    await updateStatuses(tx, engine, settled);
    await updateRecipients(tx, engine, fits);
    await insertAttempts(
      tx,
      engine,
      fits.map(({ emailId, result }) => ({ emailId, attempt: result.attempt })),
    );
    const sealed = settled.flatMap((fit) => (fit.sealed ? [fit.emailId] : []));
    if (sealed.length > 0) await forgetSealedData(tx, engine, sealed);
    return fits.map(({ result }) => result.emailId);
  });

async function findFits(db: Handle, engine: Engine, results: AttemptResult[]): Promise<Fit[]> {
  const byFence = new Map(results.map((result) => [`${result.emailId} ${result.fence}`, result]));
  const rows = await lockLeases(db, engine, { uuids: results.map(({ emailId }) => emailId) });
  return rows.flatMap(({ email_id, uuid, fence, sealed }) => {
    const result = byFence.get(`${uuid} ${fence}`);
    return result === undefined ? [] : { emailId: email_id, sealed: Boolean(sealed), result };
  });
}

async function updateQueue(db: Handle, engine: Engine, fits: Fit[], settled: Fit[]): Promise<void> {
  if (settled.length > 0) await leaveQueue(db, engine, { ids: settled.map(({ emailId }) => emailId) });
  const retries = fits.flatMap(({ emailId, result: { next } }) =>
    "retryAt" in next ? [{ email_id: emailId, due_at: next.retryAt }] : [],
  );
  if (retries.length === 0) return;
  await sql`
    update ${engine.table("email_queue")} as q
    set due_at = v.due_at, lease_until = null, worker = null, claimed_at = null
    from ${engine.valuesTable("v", retryTypes, retries)} where q.email_id = v.email_id
  `.execute(db);
}

async function updateStatuses(db: Handle, engine: Engine, settled: Fit[]): Promise<void> {
  const rows = settled.flatMap(({ emailId, result: { next } }) =>
    "retryAt" in next ? [] : [{ email_id: emailId, status: next.status, sent_at: next.sentAt ?? null }],
  );
  if (rows.length === 0) return;
  await sql`
    update ${engine.table("emails")} as e set status = v.status, sent_at = v.sent_at
    from ${engine.valuesTable("v", statusTypes, rows)} where e.id = v.email_id
  `.execute(db);
}

async function updateRecipients(db: Handle, engine: Engine, fits: Fit[]): Promise<void> {
  const rows = fits.flatMap(({ emailId, result }) =>
    result.recipients.map((recipient) => ({
      email_id: emailId,
      kind: recipient.kind,
      address: recipient.address,
      state: recipient.state,
      last_code: recipient.lastCode ?? null,
      last_reply: recipient.lastReply,
      settled_at: recipient.settledAt ?? null,
    })),
  );
  if (rows.length === 0) return;
  await sql`
    update ${engine.table("email_recipients")} as r
    set state = v.state, attempts = r.attempts + 1, last_code = v.last_code, last_reply = v.last_reply,
      settled_at = v.settled_at
    from ${engine.valuesTable("v", recipientTypes, rows)}
    where r.email_id = v.email_id and r.kind = v.kind and r.address = v.address
  `.execute(db);
}

/** Replaces the sealed data of e-mails by an empty object: a secret outlives its sending no longer than it must. */
export async function forgetSealedData(db: Handle, engine: Engine, ids: number[]): Promise<void> {
  const payloads = await findPayloads(db, engine, { ids });
  const rows = payloads.flatMap(({ id, payload }) =>
    payload.startsWith(sealedPrefix) ? [{ email_id: id, payload: withoutSealedData(payload) }] : [],
  );
  if (rows.length === 0) return;
  await sql`
    update ${engine.table("emails")} as e set payload = v.payload
    from ${engine.valuesTable("v", payloadTypes, rows)} where e.id = v.email_id
  `.execute(db);
}
