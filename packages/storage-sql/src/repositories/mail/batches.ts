import { type Batch, type Batches, type EmailStatus, readStoredList } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import { readLong } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { countOf } from "../../list-range.ts";
import { prepared } from "../../prepared.ts";
import { present } from "../../present.ts";
import type { Row } from "../../tables.ts";
import { cancelRows } from "./emails/cancel.ts";
import { toEmail } from "./emails/rows.ts";

const findPiece = prepared((db, values: { id: string; after: number; limit: number }) =>
  db
    .selectFrom("emails")
    .select("id")
    .where("batch_id", "=", values.id)
    .where("id", ">", values.after)
    .orderBy("id")
    .limit(values.limit),
);

/** Batches of e-mails that were submitted together. */
export const createBatchesRepository = (db: Handle, engine: Engine): Batches => ({
  async insert({ id, workspaceId, apiKeyId, total, accepted, skipped, createdAt }) {
    await db
      .insertInto("batches")
      .values({
        uuid: id,
        workspace_id: workspaceId,
        api_key_id: apiKeyId ?? null,
        total,
        accepted,
        skipped: JSON.stringify(skipped),
        created_at: createdAt,
      })
      .execute();
  },
  async find(workspaceId, id) {
    const row = await db
      .selectFrom("batches")
      .select(["uuid", "workspace_id", "api_key_id", "total", "accepted", "created_at"])
      .where("uuid", "=", id)
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirst();
    return row && toBatch(row);
  },
  async skipped({ id, workspaceId }) {
    const row = await db
      .selectFrom("batches")
      .select("skipped")
      .where("uuid", "=", id)
      .where("workspace_id", "=", workspaceId)
      .executeTakeFirst();
    return row === undefined ? [] : readStoredList(row.skipped);
  },
  async emails({ id, workspaceId: holder }, now) {
    const rows = await readLong(
      db,
      sql<{ id: string; index: number; status: EmailStatus }>`
        select uuid as id, batch_index as ${sql.ref("index")}, status from ${statusesOf(engine, id, now)} order by s.id`,
      { holder },
    );
    return rows.map((row) => ({ id: row.id, index: Number(row.index), status: row.status }));
  },
  async counts({ id, workspaceId: holder }, now) {
    const rows = await readLong(
      db,
      sql<{ status: EmailStatus; total: number }>`
        select status, count(*) as total from ${statusesOf(engine, id, now)} group by status`,
      { holder },
    );
    // Not joined: as long as reports are few in its statistics, PostgreSQL would read all workspaces' to find the batch's.
    const bounced = db
      .selectFrom("emails as e")
      .where("e.batch_id", "=", id)
      .where(
        (of) =>
          of
            .selectFrom("recipient_reports as r")
            .select("r.email_id")
            .whereRef("r.email_id", "=", "e.id")
            .where("r.kind", "=", "bounce")
            .limit(1),
        "is not",
        null,
      );
    return {
      byStatus: new Map(rows.map((row) => [row.status, Number(row.total)])),
      bounced: await countOf(bounced, { holder }),
    };
  },
  cancel: (id, { after, limit, now }) =>
    atomically(db, async (tx) => {
      const piece = (await findPiece(tx, engine, { id, after, limit })).map((row) => row.id);
      const { ended } = await cancelRows(tx, engine, piece, { now });
      return {
        cancelled: ended.map(({ row, status }) => toEmail(row, { status, settledAt: now })),
        last: piece.length < limit ? undefined : piece.at(-1),
      };
    }),
  async deleteEmptyBefore(before, limit) {
    const removed = await db
      .deleteFrom("batches")
      .where("id", "in", (old) =>
        old
          .selectFrom("batches")
          .select("id")
          // A literal, so that the planner sees that the index of empty batches applies.
          .where("accepted", "=", sql.lit(0))
          .where("created_at", "<", before)
          .orderBy("created_at")
          .limit(limit),
      )
      .returning("id")
      .execute();
    return removed.length;
  },
});

/** The statuses of a batch's e-mails, as a table `s`. */
const statusesOf = (engine: Engine, id: string, now: number) => sql`(
  select e.id, e.uuid, e.batch_index, case when o.status is not null then o.status
    when i.claim_id is not null then 'sending' when e.scheduled_at > ${now} then 'scheduled' else 'queued' end as status
  from ${engine.table("emails")} as e
  left join ${engine.table("email_outcomes")} as o on o.email_id = e.id
  left join ${engine.table("claim_items")} as i on i.email_id = e.id
  where e.batch_id = ${id}
) as s`;

const toBatch = (row: Omit<Row<"batches">, "id" | "skipped">): Batch => ({
  id: row.uuid,
  workspaceId: row.workspace_id,
  apiKeyId: present(row.api_key_id),
  total: row.total,
  accepted: row.accepted,
  createdAt: row.created_at,
});
