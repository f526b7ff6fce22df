import type { EmailFilter, EmailStatus } from "@posthorn/core/storage";
import { type SelectQueryBuilder, sql } from "kysely";
import { mayBeLong } from "../../../deferred.ts";
import type { Handle } from "../../../engine.ts";
import { enough, type Labels } from "./labelled.ts";

/**
 * The filter whose index is read; the others are checked for each e-mail found. `labels`, `few_dates`, `status` and
 * `template` only if they match few e-mails; `log` if no index is of use, or the planner may choose one.
 */
export type Driver = "labels" | "batch" | "few_dates" | "status" | "recipient" | "template" | "dates" | "log";

/** Finds out which filter drives the query, by reading a bounded number of index rows. */
export async function chooseDriver(db: Handle, filter: EmailFilter, labels: Labels): Promise<Driver> {
  const { workspaceId, status, to, batchId, template, from, until } = filter;
  if (labels.isRare) return "labels";
  if (batchId !== undefined) return "batch";
  const isDated = from !== undefined || until !== undefined;
  // The other indexes begin with the workspace; those of addresses and of dates are read for each.
  if (workspaceId === "all" && (to !== undefined || !isDated)) return to === undefined ? "log" : "recipient";
  if (to === undefined && !isDated && !isWaiting(status)) return "log";
  const emails = db.selectFrom("emails as e").select("e.id");
  const all =
    workspaceId === "all"
      ? emails.where("e.workspace_id", "in", (of) => of.selectFrom("workspaces").select("id"))
      : emails.where("e.workspace_id", "=", workspaceId);
  if (isDated) {
    let within = all;
    if (from !== undefined) within = within.where("e.created_at", ">=", from);
    if (until !== undefined) within = within.where("e.created_at", "<", until);
    // In their order, so that no planner expects to find enough elsewhere.
    const inOrder = workspaceId === "all" ? within : within.orderBy("e.created_at");
    if (await areFew(inOrder, workspaceId)) return "few_dates";
  }
  if (workspaceId === "all") return "log";
  if (
    status !== undefined &&
    status !== "sent" &&
    (await areFew(ofStatus(db, workspaceId, status), workspaceId))
  )
    return "status";
  if (to !== undefined) return "recipient";
  if (!isDated) return "log";
  if (template !== undefined && (await areFew(all.where("e.template", "=", template), workspaceId)))
    return "template";
  return "dates";
}

async function areFew<DB, TB extends keyof DB, O>(
  matching: SelectQueryBuilder<DB, TB, O>,
  workspaceId: number | "all",
): Promise<boolean> {
  const rows = await matching
    .limit(enough)
    .withPlugin(mayBeLong({ holder: workspaceId }))
    .execute();
  return rows.length < enough;
}

/** Rows of an index of the e-mails that may have a status; those sent have none. */
function ofStatus(db: Handle, workspaceId: number, status: EmailStatus) {
  if (status === "sending") return db.selectFrom("claim_items as s").select("s.email_id");
  if (isWaiting(status)) return waitingOf(db, workspaceId);
  return (
    db
      .selectFrom("email_outcomes as s")
      .select("s.email_id")
      .where("s.workspace_id", "=", workspaceId)
      // A literal, so that the planner sees that the index of all but sent e-mails applies.
      .where("s.status", "<>", sql.lit("sent"))
      .where("s.status", "=", status)
  );
}

/** Whether e-mails with this status are in the queue. */
export const isWaiting = (status: EmailStatus | undefined): status is "queued" | "scheduled" =>
  status === "queued" || status === "scheduled";

/** E-mails of a workspace that wait, whatever others have waiting: by their routes, which begin with the workspace. */
export function waitingOf(db: Handle, workspaceId: number) {
  const waiting = db.selectFrom("email_queue as s").select("s.email_id");
  const within = (kind: "s" | "c") =>
    waiting
      .where("s.route", ">=", `${kind}:${workspaceId}:`)
      // The character after the colon.
      .where("s.route", "<", `${kind}:${workspaceId};`);
  return waiting.where("s.route", "=", `w:${workspaceId}`).unionAll(within("s")).unionAll(within("c"));
}

/** The columns by which the rows of a driver's index are in order, newest first. */
export interface LogOrder {
  id: "e.id" | "r.email_id";
  /** Comes before the id. */
  time?: "e.created_at";
}

/** Returns the order in which a page is read by this driver. */
export function orderOf(driver: Driver): LogOrder {
  if (driver === "recipient") return { id: "r.email_id" };
  return isByDate(driver) ? { id: "e.id", time: "e.created_at" } : { id: "e.id" };
}

/** Whether the index of dates is read. */
export const isByDate = (driver: Driver): boolean => driver === "few_dates" || driver === "dates";

/** Whether its index does not begin with the workspace. */
export const isOfAnyWorkspace = (driver: Driver): boolean =>
  driver === "labels" || driver === "status" || driver === "batch";

/** Columns whose indexes are not to be chosen, because another drives the query. */
export const withoutIndex = {
  workspace: sql<number>`+e.workspace_id`,
  time: sql<number>`+e.created_at`,
  template: sql<string>`e.template || ''`,
};
