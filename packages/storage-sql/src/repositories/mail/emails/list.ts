import {
  addressKey,
  type Email,
  type EmailFilter,
  type EmailStatus,
  emailStatuses,
  type Listing,
  type Slice,
} from "@posthorn/core/storage";
import { sql } from "kysely";
import type { ForHolder } from "../../../deferred.ts";
import type { Handle } from "../../../engine.ts";
import { answerRange, countOf, keyOf, rangeOf, skipsRows } from "../../../list-range.ts";
import { chooseDriver, orderOf } from "./choose-driver.ts";
import { readCount } from "./count.ts";
import { type FilterContext, filtered, recipientsAt } from "./filtered.ts";
import { readLabels, rowsOfAll } from "./labelled.ts";
import { type Joined, type StatusRow, viewRow, withStatus } from "./with-status.ts";

/** E-mails that match the filter, newest first. */
export async function listEmails(
  db: Handle,
  filter: EmailFilter,
  slice: Slice,
  now: number,
): Promise<Listing<Email>> {
  const labels = await readLabels(db, filter);
  const asked = { labels, driver: await chooseDriver(db, filter, labels), now };
  const { rows, found } =
    asked.labels.names.length > 0 && asksAlone(filter, "tag", "metadata")
      ? await pageOfLabels(db, filter, asked.labels.names, slice)
      : isOfOutcomeAlone(filter)
        ? await pageOfOutcome(db, filter, slice)
        : await pageOfFound(db, filter, asked, slice);
  return answerRange(slice, rows, {
    found,
    keyOf: ({ id }) => id,
    timeOf: orderOf(asked.driver).time && (({ created_at }) => created_at),
    toItem: (row) => viewRow(row, now),
    count: () => count(db, filter, asked),
  });
}

/** The rows of a page's e-mails, and the number found: one may be deleted before its row is read. */
interface EmailRows {
  rows: StatusRow[];
  found: number;
}

/** Whom it lists for: the workspace, or the operator. */
const holderOf = ({ workspaceId }: EmailFilter): ForHolder => ({ holder: workspaceId });

async function pageOfFound(
  db: Handle,
  filter: EmailFilter,
  asked: FilterContext,
  slice: Slice,
): Promise<EmailRows> {
  const { id, time } = orderOf(asked.driver);
  // The index of scheduled e-mails is in the order of their times: sorting all is cheap only by their ids alone. And of
  // e-mails that are skipped, the index alone is read.
  const isScheduled = filter.status === "scheduled" && time === undefined;
  const idsOnly = skipsRows(slice) || isScheduled;
  // No planner looks for a workspace's among all its e-mails, in the order of their ids.
  const isOfWorkspace = isScheduled && id === "e.id" && filter.workspaceId !== "all";
  const emails = filtered(db, filter, asked, { idsOnly });
  const order = { column: id, time, isSorted: isOfWorkspace || isSorted(filter), ...holderOf(filter) };
  if (id === "e.id" && !idsOnly) {
    const rows = await rangeOf(withStatusOf(emails), slice, order).execute();
    return { rows, found: rows.length };
  }
  const ids = emails.select(keyOf(order).as("email_id"));
  const each = id === "e.id" ? ids : ids.distinct();
  return await readRows(db, await rangeOf(each, slice, order).execute());
}

/** The index of addresses is in the order of e-mails within a workspace only. */
const isSorted = ({ workspaceId, to }: EmailFilter): boolean => workspaceId === "all" && to !== undefined;

/** Their rows with the columns that determine their status. */
const withStatusOf = (emails: Joined) =>
  emails.selectAll("e").select(["o.status", "o.settled_at", "i.claim_id"]);

/** Whether the filter has only some of these fields. */
const asksAlone = (
  { workspaceId: _, ...filter }: EmailFilter,
  ...names: (keyof Omit<EmailFilter, "workspaceId">)[]
): boolean =>
  Object.entries(filter).every(([name, value]) => value === undefined || names.some((one) => one === name));

/** The index alone determines the page: e-mails that are skipped are never read. */
async function pageOfLabels(
  db: Handle,
  filter: EmailFilter,
  labels: readonly string[],
  slice: Slice,
): Promise<EmailRows> {
  const rows = rowsOfAll(db, filter, labels).select("l.email_id");
  const order = { column: "l.email_id", ...holderOf(filter) };
  return await readRows(db, await rangeOf(rows, slice, order).execute());
}

/** E-mails of one workspace that did not reach all recipients, by outcome. */
interface OutcomeFilter extends EmailFilter {
  workspaceId: number;
  status: EmailStatus;
}

const outcomes: readonly EmailFilter["status"][] = ["partially_sent", "failed", "suppressed", "cancelled"];

/** Whether the filter asks only for such an outcome, which an index covers. */
const isOfOutcomeAlone = (filter: EmailFilter): filter is OutcomeFilter =>
  filter.workspaceId !== "all" && outcomes.includes(filter.status) && asksAlone(filter, "status");

/** Like `pageOfLabels`, from the index of outcomes. */
async function pageOfOutcome(
  db: Handle,
  { workspaceId, status }: OutcomeFilter,
  slice: Slice,
): Promise<EmailRows> {
  const rows = db
    .selectFrom("email_outcomes as s")
    .select("s.email_id")
    .where("s.workspace_id", "=", workspaceId)
    // A literal, so that the planner sees that the index of all but sent e-mails applies.
    .where("s.status", "<>", sql.lit("sent"))
    .where("s.status", "=", status);
  return await readRows(
    db,
    await rangeOf(rows, slice, { column: "s.email_id", holder: workspaceId }).execute(),
  );
}

/** The rows of e-mails, in the order in which these were found. */
async function readRows(db: Handle, found: readonly { email_id: number }[]): Promise<EmailRows> {
  if (found.length === 0) return { rows: [], found: 0 };
  const ids = found.map(({ email_id }) => email_id);
  const rows = await withStatusOf(withStatus(db)).where("e.id", "in", ids).execute();
  const places = new Map(ids.map((id, at) => [id, at]));
  const placeOf = ({ id }: StatusRow): number => places.get(id) ?? 0;
  return { rows: rows.sort((one, other) => placeOf(one) - placeOf(other)), found: found.length };
}

async function count(db: Handle, filter: EmailFilter, asked: FilterContext): Promise<number> {
  const { workspaceId, status } = filter;
  const { labels, now } = asked;
  const to = holderOf(filter);
  const isOfStatusAndLabels = asksAlone(filter, "status", "tag", "metadata");
  if (isOfStatusAndLabels && labels.names.length === 0) return readCount(db, { workspaceId, status, now });
  if (isOfStatusAndLabels && status === "sent" && !labels.isRare) {
    // Nearly all are sent: the others are few, and each status has its fast path.
    let total = await count(db, { ...filter, status: undefined }, asked);
    for (const other of emailStatuses.filter((each) => each !== "sent"))
      total -= await count(db, { ...filter, status: other }, asked);
    return total;
  }
  if (asksAlone(filter, "tag", "metadata")) return await countOf(rowsOfAll(db, filter, labels.names), to);
  if (filter.to !== undefined && asksAlone(filter, "to"))
    return await countTo(db, filter.workspaceId, addressKey(filter.to));
  const { id } = orderOf(asked.driver);
  const emails = filtered(db, filter, asked, { idsOnly: true });
  return await countOf(emails, { column: id === "e.id" ? undefined : id, isSorted: isSorted(filter), ...to });
}

/** Counts the e-mails to an address from the index alone. */
const countTo = (db: Handle, workspaceId: number | "all", key: string): Promise<number> =>
  countOf(recipientsAt(db, workspaceId, key), {
    column: "r.email_id",
    isSorted: workspaceId === "all",
    holder: workspaceId,
  });
