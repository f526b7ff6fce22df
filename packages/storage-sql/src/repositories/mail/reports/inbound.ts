import {
  type InboundEffect,
  type InboundReport,
  type Listing,
  type Reports,
  readStoredList,
  type Slice,
} from "@posthorn/core/storage";
import type { Handle } from "../../../engine.ts";
import { countOf, listById } from "../../../list-range.ts";
import type { Row } from "../../../tables.ts";

type NewReport = Parameters<Reports["keep"]>[0];

/** Stores a returned message; if it is stored already, returns the existing report. */
export async function storeReport(db: Handle, report: NewReport): Promise<InboundReport | undefined> {
  const row = await db
    .insertInto("inbound_reports")
    .values({
      uuid: report.id,
      workspace_id: report.workspaceId,
      kind: report.kind,
      source: report.source,
      digest: report.digest,
      email_id: report.emailId ?? null,
      effects: JSON.stringify(report.effects),
      raw: report.raw,
      created_at: report.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return row === undefined ? findReport(db, report.workspaceId, { digest: report.digest }) : undefined;
}

/** One report with its message. */
export async function findReport(
  db: Handle,
  workspaceId: number,
  by: { uuid: string } | { digest: string },
): Promise<(InboundReport & { raw: string }) | undefined> {
  let query = db.selectFrom("inbound_reports").selectAll().where("workspace_id", "=", workspaceId);
  query = "uuid" in by ? query.where("uuid", "=", by.uuid) : query.where("digest", "=", by.digest);
  const row = await query.executeTakeFirst();
  return row === undefined ? undefined : { ...toReport(row), raw: row.raw };
}

/** The number of reports about an e-mail. */
export async function countReports(db: Handle, workspaceId: number, emailId: string): Promise<number> {
  const row = await db
    .selectFrom("inbound_reports")
    .select((eb) => eb.fn.countAll().as("total"))
    .where("email_id", "=", emailId)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

const columns = ["uuid", "workspace_id", "kind", "source", "email_id", "effects", "created_at"] as const;

/** Reports of a workspace without their messages, newest first. */
export async function listReports(
  db: Handle,
  { workspaceId, emailId, kind }: Parameters<Reports["list"]>[0],
  slice: Slice,
): Promise<Listing<InboundReport>> {
  let matching = db.selectFrom("inbound_reports").where("workspace_id", "=", workspaceId);
  if (emailId !== undefined) matching = matching.where("email_id", "=", emailId);
  if (kind !== undefined) matching = matching.where("kind", "=", kind);
  return listById(matching.select([...columns, "id"]), slice, {
    toItem: toReport,
    count: () => countOf(matching, { holder: workspaceId }),
    holder: workspaceId,
  });
}

/** Deletes reports received before `before`, oldest first; returns their number. */
export async function deleteReports(db: Handle, before: number, limit: number): Promise<number> {
  const deleted = await db
    .deleteFrom("inbound_reports")
    .where("id", "in", (old) =>
      old
        .selectFrom("inbound_reports")
        .select("id")
        .where("created_at", "<", before)
        .orderBy("created_at")
        .limit(limit),
    )
    .returning("id")
    .execute();
  return deleted.length;
}

const toReport = (row: Pick<Row<"inbound_reports">, (typeof columns)[number]>): InboundReport => ({
  id: row.uuid,
  workspaceId: row.workspace_id,
  kind: row.kind as InboundReport["kind"],
  source: row.source as InboundReport["source"],
  emailId: row.email_id ?? undefined,
  effects: readStoredList<InboundEffect>(row.effects),
  createdAt: row.created_at,
});
