import {
  addressKey,
  type Email,
  type EmailFilter,
  type EmailStatus,
  emailStatuses,
  type Listing,
  type Slice,
} from "@posthorn/core/storage";
import { type SelectQueryBuilder, sql } from "kysely";
import type { Handle } from "../../../engine.ts";
import { answerStretch, countOf, stretchOf } from "../../../stretch.ts";
import type { Database, Row } from "../../../tables.ts";
import { readCount } from "./count.ts";
import { hasLabel, type Labels, readLabels, rowsOfAll } from "./labelled.ts";
import { toEmail } from "./rows.ts";

/** An e-mail's row with what tells its status. */
interface StatusRow extends Row<"emails"> {
  status: string | null;
  settled_at: number | null;
  claim_id: number | null;
}

/** A settled e-mail's status is its outcome; another's follows from who has it, and its time. */
export function viewRow(row: StatusRow, now: number): Email {
  return toEmail(row, { status: statusAt(row, now), settledAt: row.settled_at ?? undefined });
}

function statusAt(row: StatusRow, now: number): EmailStatus {
  if (row.status !== null) return row.status as EmailStatus;
  if (row.claim_id !== null) return "sending";
  return row.scheduled_at !== null && row.scheduled_at > now ? "scheduled" : "queued";
}

type Joined<O = object> = SelectQueryBuilder<
  Database & {
    e: Database["emails"];
    o: { [K in keyof Database["email_outcomes"]]: Database["email_outcomes"][K] | null };
    i: { [K in keyof Database["claim_items"]]: Database["claim_items"][K] | null };
  },
  "e" | "o" | "i",
  O
>;

/** E-mails with their outcome, and with who has them. */
export const withStatus = (db: Handle): Joined =>
  db
    .selectFrom("emails as e")
    .leftJoin("email_outcomes as o", "o.email_id", "e.id")
    .leftJoin("claim_items as i", "i.email_id", "e.id");

/** E-mails that fit the filter, newest first. */
export async function listEmails(
  db: Handle,
  filter: EmailFilter,
  slice: Slice,
  now: number,
): Promise<Listing<Email>> {
  const asked = { labels: await readLabels(db, filter), now };
  const rows =
    asked.labels.names.length > 0 && isOfLabelsAlone(filter)
      ? await pageOfLabels(db, filter, asked.labels.names, slice)
      : isOfOutcomeAlone(filter)
        ? await pageOfOutcome(db, filter, slice)
        : await stretchOf(withStatusOf(filtered(db, filter, asked)), slice, { column: "e.id" }).execute();
  return answerStretch(slice, rows, {
    keyOf: ({ id }) => id,
    toItem: (row) => viewRow(row, now),
    count: () => count(db, filter, asked),
  });
}

/** Their rows, with what tells their status. */
const withStatusOf = (emails: Joined) =>
  emails.selectAll("e").select(["o.status", "o.settled_at", "i.claim_id"]);

/** Whether nothing but labels is asked for. */
const isOfLabelsAlone = ({ workspaceId: _, tag: __, metadata: ___, ...others }: EmailFilter): boolean =>
  Object.values(others).every((value) => value === undefined);

/** The index alone says which e-mails a page has: what is passed over is never read. */
async function pageOfLabels(
  db: Handle,
  filter: EmailFilter,
  labels: readonly string[],
  slice: Slice,
): Promise<StatusRow[]> {
  const rows = rowsOfAll(db, filter, labels).select("l.email_id");
  return await readRows(db, await stretchOf(rows, slice, { column: "l.email_id" }).execute());
}

/** E-mails of one workspace that did not get to everybody, by how they ended. */
interface OutcomeFilter extends EmailFilter {
  workspaceId: number;
  status: EmailStatus;
}

const outcomes: readonly (EmailStatus | undefined)[] = [
  "partially_sent",
  "failed",
  "suppressed",
  "cancelled",
];

/** Whether nothing is asked for but such an end, of which there is an index. */
const isOfOutcomeAlone = (filter: EmailFilter): filter is OutcomeFilter => {
  const { workspaceId, status, ...others } = filter;
  return (
    workspaceId !== "all" &&
    outcomes.includes(status) &&
    Object.values(others).every((value) => value === undefined)
  );
};

/** The index alone says it here, too. */
async function pageOfOutcome(
  db: Handle,
  { workspaceId, status }: OutcomeFilter,
  slice: Slice,
): Promise<StatusRow[]> {
  const rows = db
    .selectFrom("email_outcomes as s")
    .select("s.email_id")
    .where("s.workspace_id", "=", workspaceId)
    // Written out, so that the planner sees that the index of all but the sent will do.
    .where("s.status", "<>", sql.lit("sent"))
    .where("s.status", "=", status);
  return await readRows(db, await stretchOf(rows, slice, { column: "s.email_id" }).execute());
}

async function readRows(db: Handle, found: readonly { email_id: number }[]): Promise<StatusRow[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ email_id }) => email_id);
  return await withStatusOf(withStatus(db)).where("e.id", "in", ids).orderBy("e.id", "desc").execute();
}

interface Asked {
  labels: Labels;
  now: number;
}

function filtered(db: Handle, filter: EmailFilter, { labels, now }: Asked): Joined {
  const { workspaceId, status, to, template, batchId, from, until } = filter;
  let query = withStatus(db);
  if (labels.isRare)
    query = query.where("e.id", "in", rowsOfAll(db, filter, labels.names).select("l.email_id"));
  else for (const label of labels.names) query = query.where((eb) => hasLabel(eb as never, label));
  query =
    workspaceId === "all"
      ? query.where("e.workspace_id", "is not", null)
      : query.where("e.workspace_id", "=", workspaceId);
  if (status !== undefined) query = whereStatus(query, status, { workspaceId, now });
  if (template !== undefined) query = query.where("e.template", "=", template);
  if (batchId !== undefined) query = query.where("e.batch_id", "=", batchId);
  if (from !== undefined) query = query.where("e.created_at", ">=", from);
  if (until !== undefined) query = query.where("e.created_at", "<", until);
  if (to !== undefined)
    query = query.where((eb) => {
      const recipients = eb
        .selectFrom("email_recipients")
        .select("email_id")
        .where("address_key", "=", addressKey(to));
      return eb(
        "e.id",
        "in",
        // The index begins with the workspace: of all of them, each is looked up.
        workspaceId === "all"
          ? recipients.where("workspace_id", "in", (each) => each.selectFrom("workspaces").select("id"))
          : recipients.where("workspace_id", "=", workspaceId),
      );
    });
  return query;
}

/** Each status has its own short way: the sent are nearly all, the other outcomes are indexed, and what waits stands in the queue. */
function whereStatus(
  all: Joined,
  status: EmailStatus,
  { workspaceId, now }: { workspaceId: number | "all"; now: number },
): Joined {
  // A look a row: nearly all fit, so that few are looked at, and no planner is led to read all outcomes first.
  if (status === "sent")
    return all.where(
      (eb) => eb.selectFrom("email_outcomes as s").select("s.status").whereRef("s.email_id", "=", "e.id"),
      "=",
      "sent",
    );
  if (status === "sending")
    return all.where("e.id", "in", (eb) => eb.selectFrom("claim_items").select("email_id"));
  if (status === "queued" || status === "scheduled") {
    const waiting = all.where("e.id", "in", (eb) => eb.selectFrom("email_queue").select("email_id"));
    return status === "scheduled"
      ? waiting.where("e.scheduled_at", ">", now)
      : waiting.where((eb) => eb.or([eb("e.scheduled_at", "is", null), eb("e.scheduled_at", "<=", now)]));
  }
  return all.where("e.id", "in", (eb) => {
    const settled = eb
      .selectFrom("email_outcomes")
      .select("email_id")
      // Written out, so that the planner sees that the index of all but the sent will do.
      .where("status", "<>", sql.lit("sent"))
      .where("status", "=", status);
    return workspaceId === "all" ? settled : settled.where("workspace_id", "=", workspaceId);
  });
}

async function count(db: Handle, filter: EmailFilter, asked: Asked): Promise<number> {
  const { workspaceId, status } = filter;
  const { labels, now } = asked;
  const isOfStatusAndLabels = isOfLabelsAlone({ ...filter, status: undefined });
  if (isOfStatusAndLabels && labels.names.length === 0) return readCount(db, { workspaceId, status, now });
  if (isOfStatusAndLabels && status === "sent" && !labels.isRare) {
    // Nearly all are sent: those that are not are few, and each has its short way.
    let total = await count(db, { ...filter, status: undefined }, asked);
    for (const other of emailStatuses.filter((each) => each !== "sent"))
      total -= await count(db, { ...filter, status: other }, asked);
    return total;
  }
  return isOfLabelsAlone(filter)
    ? await countOf(rowsOfAll(db, filter, labels.names))
    : await countOf(filtered(db, filter, asked));
}
