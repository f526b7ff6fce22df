import { addressKey, type EmailFilter, type EmailStatus } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Handle } from "../../../engine.ts";
import {
  type Driver,
  isByDate,
  isOfAnyWorkspace,
  isWaiting,
  waitingOf,
  withoutIndex,
} from "./choose-driver.ts";
import { hasLabel, type Labels, rowsOfAll } from "./labelled.ts";
import { type Joined, withStatus } from "./with-status.ts";

export interface FilterContext {
  labels: Labels;
  driver: Driver;
  now: number;
}

/** What the caller reads. */
interface Use {
  /** Whether the columns read are those of `e`: neither outcomes nor claims are joined. */
  idsOnly?: boolean;
}

/**
 * Matching e-mails; those of the driver `recipient` are repeated if they name the address twice. Intersecting two sets of
 * ids would be slow: SQLite would compare each pair.
 */
export function filtered(
  db: Handle,
  filter: EmailFilter,
  { labels, driver, now }: FilterContext,
  { idsOnly = false }: Use = {},
): Joined {
  const { workspaceId, status, to, batchId, apiKeyId } = filter;
  const isNarrow = driver === "few_dates" || isOfAnyWorkspace(driver);
  const isByStatus = driver === "status" || (to === undefined && !isNarrow);
  const isByRecipient = driver === "recipient" && to !== undefined;
  // In a count, SQLite would look up each joined row, though nothing reads it.
  let query = idsOnly || isByRecipient ? (db.selectFrom("emails as e") as unknown as Joined) : withStatus(db);
  if (driver === "labels")
    query = query.where("e.id", "in", rowsOfAll(db, filter, labels.names).select("l.email_id"));
  else for (const label of labels.names) query = query.where((eb) => hasLabel(eb as never, label));
  const workspace = isOfAnyWorkspace(driver) ? withoutIndex.workspace : "e.workspace_id";
  if (!isByRecipient && workspaceId !== "all") query = query.where(workspace, "=", workspaceId);
  else if (!isByRecipient)
    query = isByDate(driver)
      ? query.where("e.workspace_id", "in", (of) => of.selectFrom("workspaces").select("id"))
      : query.where("e.workspace_id", "is not", null);
  if (status !== undefined)
    query = isByStatus
      ? whereStatus(db, query, status, { workspaceId, now, areFew: driver === "status" })
      : whereDue(isByRecipient ? whereEachIs(query, status) : whereIs(query, status), status, now);
  if (batchId !== undefined) query = query.where("e.batch_id", "=", batchId);
  if (apiKeyId !== undefined) query = query.where("e.api_key_id", "=", apiKeyId);
  if (to !== undefined && !isByRecipient) query = whereTo(query, addressKey(to));
  const found = whereColumns(query, filter, driver);
  return isByRecipient ? ofRecipient(db, { workspaceId, key: addressKey(to) }, found) : found;
}

/** The conditions on template and dates. An index of theirs is used only if it drives the query. */
function whereColumns(all: Joined, { template, from, until }: EmailFilter, driver: Driver): Joined {
  const time = isByDate(driver) ? "e.created_at" : withoutIndex.time;
  let query = all;
  if (template !== undefined)
    query = query.where(
      driver === "template" || driver === "log" ? "e.template" : withoutIndex.template,
      "=",
      template,
    );
  if (from !== undefined) query = query.where(time, ">=", from);
  if (until !== undefined) query = query.where(time, "<", until);
  return query;
}

/** Recipient rows of an address. */
export function recipientsAt(db: Handle, workspaceId: number | "all", key: string) {
  const rows = db.selectFrom("email_recipients as r").where("r.address_key", "=", key);
  // The index begins with the workspace: for all workspaces, each is looked up separately.
  return workspaceId === "all"
    ? rows.where("r.workspace_id", "in", (of) => of.selectFrom("workspaces").select("id"))
    : rows.where("r.workspace_id", "=", workspaceId);
}

/**
 * Recipient rows of an address whose e-mails are among `emails`: each e-mail is looked up by its id, and no other is
 * read. PostgreSQL orders joins as it likes: it took a status and dates to leave three e-mails of 125,000 to an address,
 * and compared each with each.
 */
function ofRecipient(
  db: Handle,
  { workspaceId, key }: { workspaceId: number | "all"; key: string },
  emails: Joined,
): Joined {
  const itself = emails.select("e.id").where("e.id", "=", sql<number>`r.email_id`);
  return recipientsAt(db, workspaceId, key).where(itself, "is not", null) as unknown as Joined;
}

/** E-mails that name an address, which is checked for each e-mail. */
const whereTo = (all: Joined, key: string): Joined =>
  all.where((eb) =>
    eb.exists(
      eb
        .selectFrom("email_recipients as r")
        .select("r.email_id")
        .where("r.address_key", "=", key)
        .whereRef("r.email_id", "=", "e.id"),
    ),
  );

/**
 * The condition of `statusAt` but for the time, looked up for each e-mail: no planner is led to read all outcomes or all
 * that waits first.
 */
function whereEachIs(all: Joined, status: EmailStatus): Joined {
  if (status === "sending")
    return all.where(
      (eb) => eb.selectFrom("claim_items as s").select("s.email_id").whereRef("s.email_id", "=", "e.id"),
      "is not",
      null,
    );
  if (isWaiting(status))
    return all.where(
      (eb) => eb.selectFrom("email_queue as s").select("s.email_id").whereRef("s.email_id", "=", "e.id"),
      "is not",
      null,
    );
  return all.where(
    (eb) => eb.selectFrom("email_outcomes as s").select("s.status").whereRef("s.email_id", "=", "e.id"),
    "=",
    status,
  );
}

/**
 * The same among e-mails that another filter finds. A planner takes a look-up among no claims for free, and had all
 * e-mails looked up first: it may begin with the claims, which are few.
 */
const whereIs = (all: Joined, status: EmailStatus): Joined =>
  status === "sending"
    ? all.where((eb) =>
        eb.exists(eb.selectFrom("claim_items as s").select("s.email_id").whereRef("s.email_id", "=", "e.id")),
      )
    : whereEachIs(all, status);

/** What distinguishes scheduled e-mails from queued ones. */
function whereDue(all: Joined, status: EmailStatus, now: number): Joined {
  if (status === "scheduled") return all.where("e.scheduled_at", ">", now);
  if (status !== "queued") return all;
  return all.where((eb) => eb.or([eb("e.scheduled_at", "is", null), eb("e.scheduled_at", "<=", now)]));
}

/**
 * Each status has its own fast path: nearly all e-mails are sent, other outcomes are indexed, and waiting ones are in
 * the queue.
 */
function whereStatus(
  db: Handle,
  all: Joined,
  status: EmailStatus,
  { workspaceId, now, areFew }: { workspaceId: number | "all"; now: number; areFew: boolean },
): Joined {
  // Nearly all rows match, so few are checked.
  if (status === "sent") return whereEachIs(all, status);
  if (status === "sending")
    return all.where("e.id", "in", (eb) => eb.selectFrom("claim_items").select("email_id"));
  if (isWaiting(status)) {
    // Of many, enough are soon found among all that wait.
    const waiting =
      areFew && workspaceId !== "all"
        ? waitingOf(db, workspaceId)
        : db.selectFrom("email_queue as s").select("s.email_id");
    return whereDue(all.where("e.id", "in", waiting), status, now);
  }
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
