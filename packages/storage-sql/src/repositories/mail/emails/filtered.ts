import { addressKey, type EmailFilter, type EmailStatus } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Handle } from "../../../engine.ts";
import { hasLabel, type Labels, rowsOfAll } from "./labelled.ts";
import { type Joined, withStatus } from "./with-status.ts";

export interface FilterContext {
  labels: Labels;
  now: number;
}

/** What the caller reads. */
interface Use {
  /** Whether outcomes and claims are joined only if the filter compares them: the columns read are those of `e`. */
  idsOnly?: boolean;
}

/**
 * Matching e-mails, and the column of their ids in index order. `r.email_id` repeats if an e-mail names an address
 * twice.
 */
export interface Found {
  emails: Joined;
  idColumn: "e.id" | "r.email_id";
}

/**
 * The filter that matches the fewest e-mails drives the query; the others are checked for each e-mail found.
 * Intersecting two sets of ids would be slow: SQLite would compare each pair.
 */
export function filtered(
  db: Handle,
  filter: EmailFilter,
  { labels, now }: FilterContext,
  { idsOnly = false }: Use = {},
): Found {
  const { workspaceId, status, to, template, batchId, from, until } = filter;
  const isByRecipient = to !== undefined && workspaceId !== "all" && !labels.isRare;
  const isByStatus = to === undefined && !labels.isRare;
  // In a count, SQLite would look up each joined row, though nothing reads it.
  const isJoined = !idsOnly || (status !== undefined && !isByStatus);
  let query = isByRecipient
    ? ofRecipient(db, workspaceId, addressKey(to))
    : isJoined
      ? withStatus(db)
      : (db.selectFrom("emails as e") as unknown as Joined);
  if (labels.isRare)
    query = query.where("e.id", "in", rowsOfAll(db, filter, labels.names).select("l.email_id"));
  else for (const label of labels.names) query = query.where((eb) => hasLabel(eb as never, label));
  if (workspaceId === "all") query = query.where("e.workspace_id", "is not", null);
  else if (!isByRecipient) query = query.where("e.workspace_id", "=", workspaceId);
  if (status !== undefined)
    query = isByStatus ? whereStatus(query, status, { workspaceId, now }) : whereEachIs(query, status, now);
  if (template !== undefined) query = query.where("e.template", "=", template);
  if (batchId !== undefined) query = query.where("e.batch_id", "=", batchId);
  if (from !== undefined) query = query.where("e.created_at", ">=", from);
  if (until !== undefined) query = query.where("e.created_at", "<", until);
  if (to !== undefined && !isByRecipient) query = whereTo(db, query, addressKey(to), { each: labels.isRare });
  return { emails: query, idColumn: isByRecipient ? "r.email_id" : "e.id" };
}

/** Recipient rows of an address. */
export function recipientsAt(db: Handle, workspaceId: number | "all", key: string) {
  const rows = db.selectFrom("email_recipients as r").where("r.address_key", "=", key);
  // The index begins with the workspace: for all workspaces, each is looked up separately.
  return workspaceId === "all"
    ? rows.where("r.workspace_id", "in", (of) => of.selectFrom("workspaces").select("id"))
    : rows.where("r.workspace_id", "=", workspaceId);
}

/** E-mails to an address by the recipient index, once per occurrence: no other e-mail is read. */
const ofRecipient = (db: Handle, workspaceId: number, key: string): Joined =>
  recipientsAt(db, workspaceId, key)
    // A cross join, so that no planner begins with the e-mails.
    .crossJoin("emails as e")
    .leftJoin("email_outcomes as o", "o.email_id", "e.id")
    .leftJoin("claim_items as i", "i.email_id", "e.id")
    .whereRef("e.id", "=", "r.email_id") as unknown as Joined;

/** E-mails that name an address: checked for each e-mail, or all looked up first. */
const whereTo = (db: Handle, all: Joined, key: string, { each }: { each: boolean }): Joined =>
  all.where((eb) => {
    if (!each) return eb("e.id", "in", recipientsAt(db, "all", key).select("r.email_id"));
    const named = eb
      .selectFrom("email_recipients as r")
      .select("r.email_id")
      .where("r.address_key", "=", key);
    return eb.exists(named.whereRef("r.email_id", "=", "e.id"));
  });

/** The condition of `statusAt`, checked for each e-mail. */
function whereEachIs(all: Joined, status: EmailStatus, now: number): Joined {
  if (status === "sending") return all.where("o.status", "is", null).where("i.claim_id", "is not", null);
  if (status !== "queued" && status !== "scheduled") return all.where("o.status", "=", status);
  return whereDue(all.where("o.status", "is", null).where("i.claim_id", "is", null), status, now);
}

const whereDue = (waiting: Joined, status: "queued" | "scheduled", now: number): Joined =>
  status === "scheduled"
    ? waiting.where("e.scheduled_at", ">", now)
    : waiting.where((eb) => eb.or([eb("e.scheduled_at", "is", null), eb("e.scheduled_at", "<=", now)]));

/**
 * Each status has its own fast path: nearly all e-mails are sent, other outcomes are indexed, and waiting ones are in
 * the queue.
 */
function whereStatus(
  all: Joined,
  status: EmailStatus,
  { workspaceId, now }: { workspaceId: number | "all"; now: number },
): Joined {
  // A lookup per row: nearly all rows match, so few are checked, and no planner is led to read all outcomes first.
  if (status === "sent")
    return all.where(
      (eb) => eb.selectFrom("email_outcomes as s").select("s.status").whereRef("s.email_id", "=", "e.id"),
      "=",
      "sent",
    );
  if (status === "sending")
    return all.where("e.id", "in", (eb) => eb.selectFrom("claim_items").select("email_id"));
  if (status === "queued" || status === "scheduled")
    return whereDue(
      all.where("e.id", "in", (eb) => eb.selectFrom("email_queue").select("email_id")),
      status,
      now,
    );
  return all.where("e.id", "in", (eb) => {
    const settled = eb
      .selectFrom("email_outcomes")
      .select("email_id")
      // A literal, so that the planner sees that the index of all but sent e-mails applies.
      .where("status", "<>", sql.lit("sent"))
      .where("status", "=", status);
    return workspaceId === "all" ? settled : settled.where("workspace_id", "=", workspaceId);
  });
}
