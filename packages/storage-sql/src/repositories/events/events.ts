import type { EventCategory, EventFilter, EventRecord, Events } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import { bulkInsert } from "../../bulk-insert.ts";
import type { Engine, Handle } from "../../engine.ts";
import { countOf, listById } from "../../list-range.ts";
import { prepared } from "../../prepared.ts";
import type { Row } from "../../tables.ts";
import { findSince } from "./find-since.ts";
import { findLastRemoved, removeOldEvents } from "./remove-old.ts";

const insert = bulkInsert("events", ["id"]);

const findLast = prepared((db, { horizon }: { horizon: number }) =>
  db.selectFrom("events").select("id").where("id", "<=", horizon).orderBy("id", "desc").limit(1),
);

/** Number of events that one look goes through, whether they match or not: some milliseconds of a thread. */
const lookedThrough = 5_000;

/** The next events after an id: the last one's id, and their number. */
const findNext = prepared((db, values: { after: number; horizon: number; count: number }) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom("events")
        .select("id")
        .where("id", ">", values.after)
        .where("id", "<=", values.horizon)
        .orderBy("id")
        .limit(values.count)
        .as("e"),
    )
    .select((eb) => [eb.fn.max("id").as("last"), eb.fn.countAll().as("found")]),
);

const findAbout = prepared((db, { emailId, limit }: { emailId: string; limit: number }) =>
  db.selectFrom("events").selectAll().where("email_id", "=", emailId).orderBy("id").limit(limit),
);

/** The event log and its stream. */
export function createEventsRepository(db: Handle, engine: Engine): Events {
  return {
    async append(events) {
      if (events.length > 0) await atomically(db, (tx) => insert(tx, engine, events.map(toRow)));
    },
    async list(given, slice) {
      const filter = await withStart(db, engine, given);
      const to = { holder: filter.workspaceId };
      const matching = filtered(db, filter);
      const within = rareType(filter) ?? rareCategory(filter);
      // Its column is compared as a range.
      const listed = within === undefined ? matching : filtered(db, filter, within.column);
      return listById(listed.selectAll(), slice, {
        ...to,
        within,
        toItem: toEvent,
        count: async () => {
          if (!isOfEmailsAlone(filter)) return await countOf(matching, to);
          // An index has the few others, and that of the workspace counts all without reading their categories. The others
          // are counted first: one that is added meanwhile takes none away.
          const all = filtered(db, { workspaceId: filter.workspaceId });
          const others = await countOf(all.where("category", "<>", sql.lit("email")), to);
          return (await countOf(all, to)) - others;
        },
      });
    },
    listAbout: async (emailId, limit) => (await findAbout(db, engine, { emailId, limit })).map(toEvent),
    async listAfter(start, filter, limit) {
      const after = start === 0 ? ((await withStart(db, engine, filter)).behind ?? 0) : start;
      // Read before the rows, in a separate statement: a transaction that ends in between is then seen completely.
      const horizon = await engine.findEventHorizon(db);
      const [next] = await findNext(db, engine, { after, horizon, count: lookedThrough });
      if (next?.last == null) return { events: [], upTo: after, isMore: false };
      const rows = await filtered(db, filter)
        .selectAll()
        .where("id", ">", after)
        .where("id", "<=", next.last)
        .orderBy("id")
        .limit(limit)
        .execute();
      const isFull = rows.length === limit;
      return {
        events: rows.map(toEvent),
        upTo: isFull ? (rows.at(-1)?.id ?? after) : next.last,
        isMore: isFull || Number(next.found) === lookedThrough,
      };
    },
    async lastId() {
      const [row] = await findLast(db, engine, { horizon: await engine.findEventHorizon(db) });
      return row?.id ?? 0;
    },
    lastRemoved: () => findLastRemoved(db),
    deleteBefore: (before, limit, after = 0) => removeOldEvents(db, engine, { before, limit, after }),
  };
}

/**
 * The type of e-mails' events that an index has, over all workspaces: all types but those of each e-mail. Within one
 * workspace its own index may find them sooner.
 */
const rareType = ({ workspaceId, userId, category, type }: EventFilter) =>
  workspaceId !== "all" ||
  userId !== undefined ||
  (category !== undefined && category !== "email") ||
  type === undefined ||
  !type.startsWith("email.") ||
  type === "email.queued" ||
  type === "email.sent"
    ? undefined
    : { column: "type" as const, value: type };

/** The category that an index of a workspace's events finds, which has all but those of e-mails. */
const rareCategory = ({ workspaceId, userId, category }: EventFilter) =>
  workspaceId === "all" || userId !== undefined || category === undefined || category === "email"
    ? undefined
    : { column: "category" as const, value: category };

/** Whether all events of e-mails are asked for, nearly all there are. */
const isOfEmailsAlone = ({ userId, category, type, since }: EventFilter) =>
  category === "email" && userId === undefined && type === undefined && since === undefined;

/** A filter, and the id of an event behind which all are that it finds. */
interface StartedFilter extends EventFilter {
  behind?: number | undefined;
}

/** Without it, a filter by time would read the whole log to find the last few. */
const withStart = async (db: Handle, engine: Engine, filter: EventFilter): Promise<StartedFilter> =>
  filter.since === undefined ? filter : { ...filter, behind: await findSince(db, engine, filter.since) };

/** `ranged` is a column that the caller compares as a range. */
function filtered(db: Handle, filter: StartedFilter, ranged?: "category" | "type") {
  const { workspaceId, userId, category, type, since, behind } = filter;
  let query = db.selectFrom("events");
  if (workspaceId !== "all") query = query.where("workspace_id", "=", workspaceId);
  if (userId !== undefined) query = query.where("user_id", "=", userId);
  // A person's events are few, and of all categories: the index of categories has everybody's.
  const column = userId === undefined ? sql<string>`category` : sql<string>`category || ''`;
  if (category !== undefined && ranged !== "category") query = query.where(column, "=", category);
  // Literals, so that the planner sees that a partial index applies: of all events but e-mails', or of their rare ones.
  if (category !== undefined && category !== "email" && userId === undefined)
    query = query.where("category", "<>", sql.lit("email"));
  if (rareType(filter) !== undefined)
    query = query
      .where("category", "=", sql.lit("email"))
      .where("type", "<>", sql.lit("email.queued"))
      .where("type", "<>", sql.lit("email.sent"));
  if (type !== undefined && ranged !== "type") query = query.where("type", "=", type);
  if (since !== undefined) query = query.where("created_at", ">=", since);
  if (behind !== undefined) query = query.where("id", ">", behind);
  return query;
}

function toRow(event: Omit<EventRecord, "id">) {
  return {
    category: event.category,
    type: event.type,
    workspace_id: event.workspaceId ?? null,
    user_id: event.userId ?? null,
    actor_id: event.actorId ?? null,
    actor_name: event.actorName,
    client_ip: event.clientIp,
    message: event.message,
    metadata: event.metadata,
    created_at: event.createdAt,
    email_id: event.emailId ?? null,
  };
}

function toEvent(row: Row<"events">): EventRecord {
  return {
    id: row.id,
    category: row.category as EventCategory,
    type: row.type,
    workspaceId: row.workspace_id ?? undefined,
    userId: row.user_id ?? undefined,
    actorId: row.actor_id ?? undefined,
    actorName: row.actor_name,
    clientIp: row.client_ip,
    message: row.message,
    metadata: row.metadata,
    createdAt: row.created_at,
  };
}
