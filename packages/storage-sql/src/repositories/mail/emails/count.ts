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
 * scheduled ones are an index range, each looked up in the queue, and claimed ones are few: no count scans a long log.
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
  const total = sql<number>`count(*)`.as("total");
  // Joins from the small table to the large: without statistics a planner would begin with all e-mails.
  const inHand = () =>
    db
      .selectFrom("claim_items as i")
      .select(total)
      .where((eb) =>
        eb.exists(
          eb.selectFrom("emails as e").select("e.id").whereRef("e.id", "=", "i.email_id").where(ofWorkspace),
        ),
      );
  // By a clock that was set back, e-mails whose time has not come are already sent. Each is looked up: no planner is led
  // to read all that waits first.
  const scheduled = () =>
    db
      .selectFrom("emails as e")
      .select(total)
      .where(ofWorkspace)
      .where("e.scheduled_at", ">", now)
      .where(
        (eb) => eb.selectFrom("email_queue as q").select("q.email_id").whereRef("q.email_id", "=", "e.id"),
        "is not",
        null,
      );

  type Part = ReturnType<typeof counted | typeof scheduled | typeof inHand>;
  const parts = (): Part[] => {
    if (status === undefined) return [counted(["accepted"])];
    if (settled.includes(status)) return [counted([status])];
    if (status === "sending") return [inHand()];
    if (status === "scheduled") return [scheduled()];
    return [counted(["accepted"]), counted(settled), inHand(), scheduled()];
  };
  // The first one less the others.
  const difference = sql.join(
    parts().map((query) => sql`(${query})`),
    sql` - `,
  );
  const [row] = await readLong(db, sql<{ total: number }>`select ${difference} as total`, {
    holder: workspaceId,
  });
  return Number(row?.total ?? 0);
}
