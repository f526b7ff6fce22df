import { addressKey, type RecipientReport, type Reports } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { columnsOf } from "../../tables.ts";
import { findByRemoteId, findList, findReportedEmail, isSendingTo } from "./reports/find-email.ts";
import { countReports, deleteReports, findReport, listReports, storeReport } from "./reports/inbound.ts";

const reportTypes = columnsOf("recipient_reports");
const reportColumns = sql.join(Object.keys(reportTypes).map((column) => sql.ref(column)));

/** The number of a time's day. */
export const dayOf = (at: number): number => Math.floor(at / 86_400_000);

const addDay = prepared(
  (db, values: { workspaceId: number; address: string; category: string; day: number; at: number }) =>
    db
      .insertInto("bounce_days")
      .values({
        workspace_id: values.workspaceId,
        address_key: values.address,
        category: values.category,
        day: values.day,
        first_at: values.at,
      })
      .onConflict((conflict) => conflict.doNothing()),
);

const countDays = prepared(
  (db, values: { workspaceId: number; address: string; category: string; sinceDay: number }) =>
    db
      .selectFrom("bounce_days")
      .select((eb) => [eb.fn.countAll().as("days"), eb.fn.min("first_at").as("first_at")])
      .where("workspace_id", "=", values.workspaceId)
      .where("address_key", "=", values.address)
      .where("category", "=", values.category)
      .where("day", ">=", values.sinceDay),
);

const deleteDays = prepared((db, values: { before: number; limit: number }) =>
  db
    .deleteFrom("bounce_days")
    .where((eb) =>
      eb(
        eb.refTuple("workspace_id", "address_key", "category", "day"),
        "in",
        eb
          .selectFrom("bounce_days")
          .select(["workspace_id", "address_key", "category", "day"])
          .where("day", "<", values.before)
          .orderBy("day")
          .limit(values.limit)
          .$asTuple("workspace_id", "address_key", "category", "day"),
      ),
    )
    .returning("day"),
);

/** Reports about e-mails. */
export const createReportsRepository = (db: Handle, engine: Engine): Reports => ({
  findEmail: (by) => findReportedEmail(db, engine, by),
  findList: (row) => findList(db, row),
  findByRemoteId: (workspaceId, address, remoteId) =>
    findByRemoteId(db, engine, { workspaceId, address: addressKey(address), remoteId }),
  isSendingTo: (workspaceId, address) =>
    isSendingTo(db, engine, { workspaceId, address: addressKey(address) }),
  note: (reports) => noteReports(db, engine, reports),
  async replaceUnbelieved(report) {
    const { email_id: row, position, kind, at: _, ...values } = toRow(report);
    const replaced = await db
      .updateTable("recipient_reports")
      .set(values)
      .where("email_id", "=", row)
      .where("position", "=", position)
      .where("kind", "=", kind)
      .where("is_believed", "=", false)
      .returning("position")
      .execute();
    return replaced.length > 0;
  },
  async noteBounceDay({ workspaceId, address, category, at, since }) {
    const about = { workspaceId, address: addressKey(address), category };
    await addDay(db, engine, { ...about, day: dayOf(at), at });
    const [row] = await countDays(db, engine, { ...about, sinceDay: dayOf(since) });
    return { days: Number(row?.days ?? 1), firstAt: row?.first_at ?? at };
  },
  keep: (report) => storeReport(db, report),
  find: (workspaceId, id) => findReport(db, workspaceId, { uuid: id }),
  findByDigest: (workspaceId, digest) => findReport(db, workspaceId, { digest }),
  countAbout: (workspaceId, emailId) => countReports(db, workspaceId, emailId),
  list: (filter, slice) => listReports(db, filter, slice),
  deleteBefore: (before, limit) => deleteReports(db, before, limit),
  deleteBounceDaysBefore: async (before, limit) =>
    (await deleteDays(db, engine, { before: dayOf(before), limit })).length,
});

const keyOf = (row: { email_id: number; position: number; kind: string }): string =>
  `${row.email_id} ${row.position} ${row.kind}`;

/** Locks rows in a fixed order, so that transactions can't deadlock. */
async function noteReports(
  db: Handle,
  engine: Engine,
  reports: RecipientReport[],
): Promise<RecipientReport[]> {
  if (reports.length === 0) return [];
  const rows = new Map(
    reports.map((report) => {
      const row = toRow(report);
      return [keyOf(row), { row, report }] as const;
    }),
  );
  const sorted = [...rows.values()]
    .map(({ row }) => row)
    .sort((a, b) => a.email_id - b.email_id || a.position - b.position || (a.kind < b.kind ? -1 : 1));
  const ids = [...new Set(sorted.map(({ email_id }) => email_id))];
  // Reports are removed with their e-mail: until the transaction ends, none of these e-mails is.
  const existing = engine.forReference(
    db
      .selectFrom("emails")
      .select("id")
      .where((eb) => engine.anyOf(eb.ref("id"), ids))
      .orderBy("id"),
  );
  const inserted = await atomically(db, (tx) =>
    sql<{ email_id: number; position: number; kind: string }>`
      with existing as ${existing}
      insert into ${engine.table("recipient_reports")} (${reportColumns})
      select ${reportColumns} from ${engine.valuesTable("v", reportTypes, sorted)}
      where v.email_id in (select id from existing)
      on conflict (email_id, position, kind) do nothing
      returning email_id, position, kind
    `.execute(tx),
  );
  return inserted.rows.flatMap((row) => rows.get(keyOf(row))?.report ?? []);
}

const toRow = (report: RecipientReport) => ({
  email_id: report.row,
  position: report.position,
  kind: report.kind,
  bounce_class: report.class,
  category: report.category,
  enhanced_code: report.enhancedCode ?? null,
  reply: report.reply,
  source: report.source,
  is_believed: report.isBelieved,
  at: report.at,
});
