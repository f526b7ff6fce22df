import type { EmailStatus } from "@posthorn/core/storage";
import { type SqlBool, sql } from "kysely";
import { createCounters } from "../../../create-counters.ts";
import { readLong } from "../../../deferred.ts";
import type { Engine, Handle } from "../../../engine.ts";

/** The counted statuses: every e-mail in the log, and settled ones by outcome. */
export type CountedStatus =
  | "accepted"
  | Extract<EmailStatus, "sent" | "partially_sent" | "failed" | "suppressed" | "cancelled">;

/** A number of e-mails that reached or left a status. The service's own mails are not counted. */
export interface CountChange {
  workspaceId: number | null | undefined;
  status: CountedStatus;
  change: number;
}

const addTo = createCounters("email_counts", "total");

/** Keeps `email_counts` exact. */
export async function countEmails(db: Handle, engine: Engine, changes: CountChange[]): Promise<void> {
  const rows = changes.flatMap(({ workspaceId: workspace_id, status, change: by }) =>
    workspace_id === undefined || workspace_id === null ? [] : [{ workspace_id, status, by }],
  );
  await addTo(db, engine, rows);
}

const settled: readonly string[] = [
  "sent",
  "partially_sent",
  "failed",
  "suppressed",
  "cancelled",
] satisfies CountedStatus[];

/**
 * The number of e-mails of a workspace or of all, with one status or any. Settled e-mails are counted as they settle,
 * scheduled ones are an index range, and claimed ones are few: no count scans a long log.
 */
export async function readCount(
  db: Handle,
  { workspaceId, status, now }: { workspaceId: number | "all"; status: EmailStatus | undefined; now: number },
): Promise<number> {
  const counted = (statuses: readonly string[]) => {
    const query = db
      .selectFrom("email_counts")
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>("total"), sql.lit(0)).as("total"))
      .where("status", "in", statuses);
    return workspaceId === "all" ? query : query.where("workspace_id", "=", workspaceId);
  };
  const ofWorkspace =
    workspaceId === "all"
      ? sql<SqlBool>`e.workspace_id is not null`
      : sql<SqlBool>`e.workspace_id = ${workspaceId}`;
  const planned = sql<SqlBool>`e.scheduled_at > ${now}`;
  const total = sql<number>`count(*)`.as("total");
  const scheduled = () => db.selectFrom("emails as e").select(total).where(ofWorkspace).where(planned);
  // Joins from the small table to the large: without statistics a planner would begin with all e-mails.
  const inHand = (ofThem = sql<SqlBool>`true`) =>
    db
      .selectFrom("claim_items as i")
      .select(total)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("emails as e")
            .select("e.id")
            .whereRef("e.id", "=", "i.email_id")
            .where(ofWorkspace)
            .where(ofThem),
        ),
      );
  // Before its scheduled time an e-mail is queued, cancelled, even if some recipients had got it before it was
  // rescheduled, or without recipients from the start.
  const ended = () => {
    const query = db
      .selectFrom("email_outcomes as o")
      .select(total)
      // A literal, so that the planner sees that the index of all but sent e-mails applies.
      .where("o.status", "<>", sql.lit("sent"))
      .where("o.status", "in", ["cancelled", "partially_sent", "suppressed"])
      .where((eb) =>
        eb.exists(
          eb.selectFrom("emails as e").select("e.id").whereRef("e.id", "=", "o.email_id").where(planned),
        ),
      );
    return workspaceId === "all"
      ? query.where("o.workspace_id", "is not", null)
      : query.where("o.workspace_id", "=", workspaceId);
  };

  type Part = ReturnType<typeof counted | typeof scheduled | typeof inHand | typeof ended>;
  const parts = (): { plus: Part[]; minus: Part[] } => {
    if (status === undefined) return { plus: [counted(["accepted"])], minus: [] };
    if (settled.includes(status)) return { plus: [counted([status])], minus: [] };
    if (status === "sending") return { plus: [inHand()], minus: [] };
    if (status === "scheduled") return { plus: [scheduled()], minus: [ended(), inHand(planned)] };
    return {
      plus: [counted(["accepted"]), ended(), inHand(planned)],
      minus: [counted(settled), inHand(), scheduled()],
    };
  };
  const { plus, minus } = parts();
  const sum = (queries: Part[]) =>
    queries.length === 0
      ? sql`0`
      : sql.join(
          queries.map((query) => sql`(${query})`),
          sql` + `,
        );
  const text = sql<{ total: number }>`select ${sum(plus)} - (${sum(minus)}) as total`;
  const [row] = await readLong(db, text, { holder: workspaceId });
  return Number(row?.total ?? 0);
}
