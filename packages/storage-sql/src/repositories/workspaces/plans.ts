import type { Plan, PlanHolder, Plans, Slice } from "@posthorn/core/storage";
import { atomically } from "../../atomically.ts";
import { forOperator } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { answerRange, countOf, rangeOf } from "../../list-range.ts";
import type { Row } from "../../tables.ts";

export const planOf = (row: Row<"plans">): Plan => ({
  id: row.id,
  name: row.name,
  description: row.description,
  isDefault: Boolean(row.is_default),
  isActive: Boolean(row.is_active),
  dailyRateLimit: row.daily_rate_limit,
  hourlyRateLimit: row.hourly_rate_limit,
  maxAttachmentSizeMb: row.max_attachment_size_mb,
  maxBatchSize: row.max_batch_size,
  maxApiKeys: row.max_api_keys,
  maxDomains: row.max_domains,
  maxSmtpServers: row.max_smtp_servers,
  maxWorkspaces: row.max_workspaces,
  emailLogRetentionDays: row.email_log_retention_days,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Columns of the given values; Kysely omits `undefined` ones. */
const columnsOf = (plan: Partial<Omit<Plan, "id" | "isDefault" | "createdAt" | "updatedAt">>) => ({
  name: plan.name,
  description: plan.description,
  is_active: plan.isActive,
  daily_rate_limit: plan.dailyRateLimit,
  hourly_rate_limit: plan.hourlyRateLimit,
  max_attachment_size_mb: plan.maxAttachmentSizeMb,
  max_batch_size: plan.maxBatchSize,
  max_api_keys: plan.maxApiKeys,
  max_domains: plan.maxDomains,
  max_smtp_servers: plan.maxSmtpServers,
  max_workspaces: plan.maxWorkspaces,
  email_log_retention_days: plan.emailLogRetentionDays,
});

type Complete<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/**
 * Plans are few: locking all of them serialises changes and switches of the default. If each locked only its own plan,
 * two changes that go on to become the default would deadlock.
 */
const lockAll = (db: Handle, engine: Engine) =>
  engine.forUpdate(db.selectFrom("plans").select("id").orderBy("id")).execute();

const createDefaults = (db: Handle, engine: Engine) => {
  const unset = (db: Handle, now: number, except: number | undefined) =>
    db
      .updateTable("plans")
      .set({ is_default: false, updated_at: now })
      .where("is_default", "=", true)
      .$if(except !== undefined, (others) => others.where("id", "!=", except ?? 0))
      .execute();
  return {
    setDefault: (id, now) =>
      atomically(db, async (db) => {
        const plans = await lockAll(db, engine);
        if (!plans.some((plan) => plan.id === id)) return undefined;
        await unset(db, now, id);
        const row = await db
          .updateTable("plans")
          .set({ is_default: true, updated_at: now })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirst();
        return row && planOf(row);
      }),
    unsetDefault: (now) =>
      atomically(db, async (db) => {
        await lockAll(db, engine);
        await unset(db, now, undefined);
      }),
    async findDefault() {
      const row = await db.selectFrom("plans").selectAll().where("is_default", "=", true).executeTakeFirst();
      return row && planOf(row);
    },
  } satisfies Partial<Plans>;
};

const createAssignments = (db: Handle, engine: Engine) => {
  const count = async (table: "workspaces" | "users", id: number) => {
    const { total } = await db
      .selectFrom(table)
      .select((select) => select.fn.countAll<number>().as("total"))
      .where("plan_id", "=", id)
      .executeTakeFirstOrThrow();
    return Number(total);
  };
  const unassign = (id: number, limit: number | undefined) =>
    atomically(db, async (db) => {
      const unassignIn = async (table: "workspaces" | "users") => {
        const held = db.selectFrom(table).select("id").where("plan_id", "=", id);
        // Read before: PostgreSQL would find the next of a new plan, which its statistics don't know, anew for each.
        const next = limit === undefined ? undefined : await engine.forUpdate(held.limit(limit)).execute();
        const ids = next?.map((row) => row.id);
        const rows = await db
          .updateTable(table)
          .set({ plan_id: null })
          .where((eb) => (ids === undefined ? eb("plan_id", "=", id) : engine.anyOf(eb.ref("id"), ids)))
          .returning("id")
          .execute();
        return rows.length;
      };
      return { workspaces: await unassignIn("workspaces"), users: await unassignIn("users") };
    });
  return {
    countAssignments: async (id) => ({
      workspaces: await count("workspaces", id),
      users: await count("users", id),
    }),
    async listHolders(id, slice) {
      const { after, offset, limit } = slice;
      const workspaces = db.selectFrom("workspaces").where("plan_id", "=", id);
      const users = db.selectFrom("users").where("plan_id", "=", id);
      const order = { column: "id", direction: "asc", ...forOperator } as const;
      const isAmongUsers = after !== undefined && after.key < 0;
      const held = isAmongUsers
        ? []
        : await rangeOf(workspaces.select(["id", "name"]), slice, order).execute();
      const before = after === undefined && offset > 0 ? await countOf(workspaces, forOperator) : 0;
      const rest: Slice = {
        offset: Math.max(0, offset - before),
        limit: limit - held.length,
        after: after && { ...after, key: Math.max(0, -after.key) },
      };
      const people =
        rest.limit < 0 ? [] : await rangeOf(users.select(["id", "name", "email"]), rest, order).execute();
      const rows: PlanHolder[] = [
        ...held.map((row) => ({ kind: "workspace" as const, ...row, email: undefined })),
        ...people.map((row) => ({ kind: "user" as const, ...row })),
      ];
      return answerRange(slice, rows, {
        // Users sort after all workspaces.
        keyOf: ({ kind, id }) => (kind === "user" ? -id : id),
        toItem: (holder) => holder,
        count: async () => (await countOf(workspaces, forOperator)) + (await countOf(users, forOperator)),
      });
    },
    unassignSome: unassign,
    unassignAll: (id) => unassign(id, undefined),
  } satisfies Partial<Plans>;
};

/** Plans; at most one is the default, by a partial unique index. */
export const createPlansRepository = (db: Handle, engine: Engine): Plans => ({
  ...createDefaults(db, engine),
  ...createAssignments(db, engine),
  async insert({ createdAt, updatedAt, ...plan }) {
    const row = await db
      .insertInto("plans")
      .values({
        ...(columnsOf(plan) as Complete<ReturnType<typeof columnsOf>>),
        is_default: false,
        created_at: createdAt,
        updated_at: updatedAt,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return planOf(row);
  },
  async find(id) {
    const row = await db.selectFrom("plans").selectAll().where("id", "=", id).executeTakeFirst();
    return row && planOf(row);
  },
  async lock(id) {
    const row = await engine
      .forUpdate(db.selectFrom("plans").selectAll().where("id", "=", id))
      .executeTakeFirst();
    return row && planOf(row);
  },
  async lockAmongAll(id) {
    await lockAll(db, engine);
    const row = await db.selectFrom("plans").selectAll().where("id", "=", id).executeTakeFirst();
    return row && planOf(row);
  },
  async list() {
    return (await db.selectFrom("plans").selectAll().orderBy("id").execute()).map(planOf);
  },
  update: (id, { updatedAt, ...changes }) =>
    atomically(db, async (db) => {
      await lockAll(db, engine);
      const row = await db
        .updateTable("plans")
        .set({ ...columnsOf(changes), updated_at: updatedAt })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row && planOf(row);
    }),
  delete: (id) =>
    atomically(db, async (db) => {
      const plan = await engine
        .forUpdate(db.selectFrom("plans").select("is_default").where("id", "=", id))
        .executeTakeFirst();
      if (!plan || plan.is_default) return false;
      const { workspaces, users } = await createAssignments(db, engine).countAssignments(id);
      if (workspaces + users > 0) return false;
      await db.deleteFrom("plans").where("id", "=", id).execute();
      return true;
    }),
});
