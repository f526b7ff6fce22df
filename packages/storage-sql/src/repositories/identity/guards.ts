import type { Guards } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";
import { columnsOf } from "../../tables.ts";
import { stillBefore } from "../still-before.ts";

/** An attempt that waits to be counted. */
interface Attempt {
  key: string;
  limit: number;
  windowMs: number;
  now: number;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

type Outcome = Awaited<ReturnType<Guards["reserve"]>>;

/** Attempts under one key. */
type Row = { key: string; count: number; ends_at: number };

const types = columnsOf("guards", ["key", "count", "ends_at"]);

/** Maximum number of attempts that one statement counts. */
const attemptsAtOnce = 1_000;

/**
 * Maximum number of statements that count at once: one waits if a host's transaction has counted under its key, and more
 * would take the connections that sends need.
 */
const statementsAtOnce = 2;

/**
 * Counts attempts under each key as long as there is room, in one statement, so that two callers can't both take the
 * last place. Returns no row, or 0, for a key without room. A window that began by a clock that was ahead ends a window's
 * length from now, and keeps its count: nobody is locked out until the clock is there again, and no guess is given back.
 */
const count = prepared(
  (_, { rows, limit, windowMs }: { rows: Row[]; limit: number; windowMs: number }, engine) => {
    // Not an alias: SQLite supports none in `returning`.
    const own = sql.id(engine.tableName("guards"));
    const isOver = sql`${own}.ends_at <= excluded.ends_at - ${windowMs}`;
    // A window that begins now ends no later: this one began by a clock that was ahead.
    const isAhead = sql`${own}.ends_at > excluded.ends_at`;
    return sql<{ key: string; taken: number }>`
    insert into ${engine.table("guards")} (key, count, ends_at, taken)
    select key, count, ends_at, count from ${engine.valuesTable("v", types, rows)} where true
    on conflict (key) do update set
      taken = case
        when ${isOver} or ${own}.count + excluded.count <= ${limit} then excluded.count
        when ${own}.count < ${limit} then ${limit} - ${own}.count
        else 0 end,
      count = case
        when ${isOver} then excluded.count
        when ${own}.count + excluded.count <= ${limit} then ${own}.count + excluded.count
        when ${own}.count < ${limit} then ${limit}
        else ${own}.count end,
      ends_at = case when ${isOver} or ${isAhead} then excluded.ends_at else ${own}.ends_at end
    where ${isOver} or ${isAhead} or ${own}.count < ${limit}
    returning key, taken`;
  },
);

const findEnds = prepared((db, { keys }: { keys: string[] }, engine) =>
  db
    .selectFrom("guards")
    .select(["key", "ends_at"])
    .where(engine.anyOf(sql.ref("key"), keys, "text")),
);

/** Counters of attempts, in windows that begin with the first attempt. */
export const createGuardsRepository = (db: Handle, engine: Engine): Guards => ({
  reserve: reserveTogether((attempts) => reserveAll(db, engine, attempts)),
  async release(key) {
    await db
      .updateTable("guards")
      .set((is) => ({ count: is("count", "-", 1) }))
      .where("key", "=", key)
      .where("count", ">", 0)
      .execute();
  },
  async clear(key) {
    await db.deleteFrom("guards").where("key", "=", key).execute();
  },
  async deleteStale(before, limit) {
    const deleted = await db
      .deleteFrom("guards")
      .where("key", "in", (stale) =>
        stale
          .selectFrom("guards")
          .select("key")
          .where("ends_at", "<", before)
          .orderBy("ends_at")
          .limit(limit),
      )
      .where(stillBefore("ends_at", before))
      .returning("key")
      .execute();
    return deleted.length;
  },
});

/**
 * Counts attempts that come while others are being counted together: any number of callers at once needs a few
 * statements, whether they all use the same key or each its own. Attempts under other keys don't wait for one whose row
 * is locked.
 */
function reserveTogether(
  reserve: (attempts: readonly Attempt[]) => Promise<readonly Outcome[]>,
): Guards["reserve"] {
  const waiting: Attempt[] = [];
  /** By key that a statement is counting, the attempts that come after it. */
  const behind = new Map<string, Attempt[]>();
  let underWay = 0;
  const countAll = async (): Promise<void> => {
    underWay += 1;
    while (waiting.length > 0) {
      const attempts = waiting.splice(0, attemptsAtOnce);
      for (const { key } of attempts) if (!behind.has(key)) behind.set(key, []);
      try {
        const outcomes = await reserve(attempts);
        for (const [at, { resolve }] of attempts.entries()) resolve(outcomes[at] as Outcome);
      } catch (error) {
        for (const { reject } of attempts) reject(error);
      }
      for (const { key } of attempts) {
        for (const next of behind.get(key) ?? []) waiting.push(next);
        behind.delete(key);
      }
    }
    underWay -= 1;
  };
  return (key, limit, windowMs, now) => {
    if (limit <= 0) return Promise.resolve({ allowed: false, retryAt: now + windowMs });
    return new Promise((resolve, reject) => {
      (behind.get(key) ?? waiting).push({ key, limit, windowMs, now, resolve, reject });
      if (waiting.length > 0 && underWay < statementsAtOnce) void countAll();
    });
  };
}

/** Returns the outcome of each attempt: under one key, the first ones are allowed. */
async function reserveAll(db: Handle, engine: Engine, attempts: readonly Attempt[]): Promise<Outcome[]> {
  const kinds = Map.groupBy(attempts, ({ limit, windowMs }) => `${limit} ${windowMs}`);
  const taken = new Map<string, number>();
  await Promise.all(
    [...kinds.values()].map(async ([first, ...others]) => {
      if (first === undefined) return;
      const { limit, windowMs } = first;
      const rows = rowsOf([first, ...others]);
      for (const row of await count(db, engine, { rows, limit, windowMs }))
        taken.set(row.key, (taken.get(row.key) ?? 0) + row.taken);
    }),
  );
  const allowed = attempts.map(({ key }) => {
    const left = taken.get(key) ?? 0;
    taken.set(key, left - 1);
    return left > 0;
  });
  const refused = new Set(attempts.filter((_, at) => !allowed[at]).map(({ key }) => key));
  if (refused.size === 0) return allowed.map(() => ({ allowed: true }));
  const found = await findEnds(db, engine, { keys: [...refused] });
  const ends = new Map(found.map(({ key, ends_at }) => [key, ends_at]));
  return attempts.map(({ key, now }, at) =>
    allowed[at] ? { allowed: true } : { allowed: false, retryAt: ends.get(key) ?? now },
  );
}

/** One row for each key, in a fixed order, so that processes can't deadlock. */
function rowsOf(attempts: readonly Attempt[]): Row[] {
  const byKey = Map.groupBy(attempts, ({ key }) => key);
  return [...byKey]
    .map(([key, same]) => {
      const [{ limit, windowMs }] = same as [Attempt];
      const now = Math.max(...same.map((attempt) => attempt.now));
      return { key, count: Math.min(limit, same.length), ends_at: now + windowMs };
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
