import type { HitsKey, NewHits, RecipientHits, TrackedEmail, Tracking } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { columnsOf, type Row } from "../../tables.ts";
import { toEmail, toRecipient } from "../mail/emails/rows.ts";

const { is_announced: _, ...hitTypes } = columnsOf("email_hits");
const hitColumns = sql.join(Object.keys(hitTypes).map((column) => sql.ref(column)));
const keyTypes = columnsOf("email_hits", ["email_id", "position", "kind"]);

/** Position of hits on a message that several recipients share. */
export const several = 255;

/** Their recipients, read after it, are as the last erasure left them, and none runs until the hits are added. */
const lockEmails = prepared((db, { rows }: { rows: number[] }, engine) =>
  engine.forShare(
    db
      .selectFrom("emails")
      .selectAll()
      .where((eb) => engine.anyOf(eb.ref("id"), rows))
      .orderBy("id"),
  ),
);

const findWorkspaces = prepared((db, { rows }: { rows: number[] }, engine) =>
  db
    .selectFrom("emails")
    .select(["id", "workspace_id"])
    .where((eb) => engine.anyOf(eb.ref("id"), rows)),
);

const findRecipients = prepared((db, { rows }: { rows: number[] }, engine) =>
  db
    .selectFrom("email_recipients")
    .selectAll()
    .where((eb) => engine.anyOf(eb.ref("email_id"), rows))
    .orderBy("email_id")
    .orderBy("position"),
);

const findDetailed = prepared((db, { workspaces }: { workspaces: number[] }, engine) =>
  db
    .selectFrom("settings")
    .select(["workspace_id", "tracking_details"])
    .where((eb) => engine.anyOf(eb.ref("workspace_id"), workspaces)),
);

const findHits = prepared((db, { row }: { row: number }) =>
  db
    .selectFrom("email_hits")
    .selectAll()
    .where("email_id", "=", row)
    .orderBy("kind", "desc")
    .orderBy("position"),
);

/** Opens and clicks. */
export const createTrackingRepository = (db: Handle, engine: Engine): Tracking => ({
  async find(rows) {
    if (rows.length === 0) return [];
    const wanted = [...new Set(rows)];
    const emails = await lockEmails(db, engine, { rows: wanted });
    const recipients = Map.groupBy(
      await findRecipients(db, engine, { rows: wanted }),
      ({ email_id }) => email_id,
    );
    const workspaces = [...new Set(emails.flatMap(({ workspace_id }) => workspace_id ?? []))];
    const detailed = new Set(
      (await findDetailed(db, engine, { workspaces }))
        .filter(({ tracking_details }) => Boolean(tracking_details))
        .map(({ workspace_id }) => workspace_id),
    );
    return emails.map(
      (row): TrackedEmail => ({
        row: row.id,
        keepsDetails: row.workspace_id !== null && detailed.has(row.workspace_id),
        email: toEmail(row, { status: "sent", settledAt: undefined }),
        recipients: (recipients.get(row.id) ?? []).map(toRecipient),
      }),
    );
  },
  async workspacesOf(rows) {
    if (rows.length === 0) return new Map();
    const found = await findWorkspaces(db, engine, { rows: [...new Set(rows)] });
    return new Map(
      found.flatMap(({ id, workspace_id }) => (workspace_id === null ? [] : [[id, workspace_id]])),
    );
  },
  add: (hits, withinMs, piece) => addHits(db, engine, hits, { withinMs, piece }),
  list: (row) => listHits(db, engine, row),
});

/** Hits on an e-mail: opens first, then by position. */
export const listHits = async (db: Handle, engine: Engine, row: number): Promise<RecipientHits[]> =>
  (await findHits(db, engine, { row })).map(toHits);

async function addHits(
  db: Handle,
  engine: Engine,
  hits: readonly NewHits[],
  { withinMs, piece }: { withinMs: number; piece: number },
): Promise<HitsKey[]> {
  if (hits.length === 0) return [];
  // Locked in a fixed order, so that transactions can't deadlock.
  const rows = hits
    .map((each) => toRow(each, piece))
    .sort((a, b) => a.email_id - b.email_id || a.position - b.position || (a.kind < b.kind ? -1 : 1));
  const read = rows.filter((row) => row.first_human_at !== null);
  return await atomically(db, async (tx) => {
    await sql`
      insert into ${engine.table("email_hits")} as h (${hitColumns})
      select ${hitColumns} from ${engine.valuesTable("v", hitTypes, rows)}
      where exists (select 1 from ${engine.table("emails")} as e where e.id = v.email_id)
      on conflict (email_id, position, kind) do update set
        count = h.count + excluded.count,
        human_count = h.human_count + excluded.human_count,
        first_at = case when excluded.first_at < h.first_at then excluded.first_at else h.first_at end,
        first_human_at = case when h.first_human_at is null or excluded.first_human_at < h.first_human_at
          then excluded.first_human_at else h.first_human_at end,
        last_agent_class = excluded.last_agent_class,
        last_machine_reason = coalesce(excluded.last_machine_reason, h.last_machine_reason),
        last_address = excluded.last_address,
        last_agent = excluded.last_agent,
        last_piece = excluded.last_piece
      where h.last_piece <> excluded.last_piece
    `.execute(tx);
    if (read.length === 0) return [];
    const announced = await sql<Row<"email_hits">>`
      update ${engine.table("email_hits")} set is_announced = ${sql.lit(true)}
      where (email_id, position, kind) in
          (select email_id, position, kind from ${engine.valuesToFind("v", keyTypes, read)})
        and is_announced = ${sql.lit(false)} and first_human_at - first_at <= ${withinMs}
      returning email_id, position, kind
    `.execute(tx);
    return announced.rows.map((row) => ({ row: row.email_id, ...placeOf(row) }));
  });
}

const toRow = (hits: NewHits, piece: number) => ({
  email_id: hits.row,
  position: hits.position ?? several,
  kind: hits.kind,
  count: hits.count,
  human_count: hits.humanCount,
  first_at: hits.firstAt,
  first_human_at: hits.firstHumanAt ?? null,
  last_agent_class: hits.agentClass,
  last_machine_reason: hits.machineReason ?? null,
  last_address: hits.address ?? null,
  last_agent: hits.agent ?? null,
  last_piece: piece,
});

const placeOf = ({ position, kind }: Pick<Row<"email_hits">, "position" | "kind">) => ({
  position: position === several ? undefined : position,
  kind: kind as HitsKey["kind"],
});

/** Converts a row of `email_hits` for the port. */
export const toHits = (row: Row<"email_hits">): RecipientHits => ({
  ...placeOf(row),
  count: row.count,
  humanCount: row.human_count,
  firstAt: row.first_at,
  firstHumanAt: row.first_human_at ?? undefined,
  agentClass: row.last_agent_class as RecipientHits["agentClass"],
  machineReason: (row.last_machine_reason ?? undefined) as RecipientHits["machineReason"],
  address: row.last_address ?? undefined,
  agent: row.last_agent ?? undefined,
});
