import type { Storage } from "@posthorn/core/storage";
import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { createPostgresStorage } from "../src/create-postgres-storage.ts";
import { isGiven, newSchema, runOnce, testPostgresUrl, unhurried } from "./open-test-storage.ts";
import type { PlanNode } from "./rows-read.ts";

interface Statement {
  text: string;
  values: unknown[];
}

/** A storage whose statements are recorded. */
export interface RecordingStorage {
  storage: Storage;
  pool: pg.Pool;
  /** Runs the call, and returns its statements that have values, in their order. */
  record(call: () => Promise<unknown>): Promise<Statement[]>;
  /** Returns the plan that the server makes for a statement, as text. */
  planOf(statement: Statement | undefined): Promise<string>;
  /** Runs a statement, and returns the plan that was executed. */
  execute(statement: Statement): Promise<PlanNode>;
  /** Closes both. */
  close(): Promise<void>;
}

/** The schema of the test files that look at plans: one for all of a worker's, which run one after another. */
export const planningSchema = newSchema();

/**
 * Opens a storage on the planning schema with these rows before the tests of a file, which look at how the server plans
 * its statements, and closes it after. Use it only inside tests.
 */
export function useRecordingStorage(seed: string): RecordingStorage {
  const opened = {} as RecordingStorage;
  beforeAll(async () => void Object.assign(opened, await openRecordingStorage(seed)));
  afterAll(() => opened.close());
  return opened;
}

/**
 * Makes the schema, if there is one, as new for the planner, too: no rows, no pages, ids from 1, no statistics and no settings of a
 * table. Less than half the work of dropping it and migrating another.
 */
async function renew(connectionString: string): Promise<void> {
  const schemas = await runOnce(
    connectionString,
    `select from pg_namespace where nspname = '${planningSchema}'`,
  );
  if (schemas.length === 0) return;
  const inSchema = `relnamespace = '"${planningSchema}"'::regnamespace and relkind = 'r'`;
  const tables = await runOnce(
    connectionString,
    `select relname as name, pg_relation_size(oid) > 0 as full, array_to_string(reloptions, ',') as settings
    from pg_class where ${inSchema} and relname <> 'schema_migrations'`,
  );
  const named = ({ name }: Record<string, unknown>) => `"${planningSchema}"."${name}"`;
  const full = tables.filter((table) => table["full"]).map(named);
  const set = tables.filter(({ settings }) => String(settings).includes("autovacuum_enabled")).map(named);
  const texts = [
    ...(full.length > 0 ? [`truncate ${full.join()} restart identity cascade`] : []),
    ...set.map((table) => `alter table ${table} reset (autovacuum_enabled)`),
    `delete from pg_statistic where starelid in (select oid from pg_class where ${inSchema})`,
  ];
  await runOnce(connectionString, texts.join("; "));
}

async function openRecordingStorage(seed: string): Promise<RecordingStorage> {
  const schema = planningSchema;
  const connectionString = await testPostgresUrl();
  const statements: Statement[] = [];
  // Costs as on server disks: random reads cost little more than sequential ones, even in tables that are still small.
  const pool = new pg.Pool({ connectionString, max: 1, options: "-c random_page_cost=1.1" });
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const recording = (...args: unknown[]) => {
      const [config] = args as [{ text: string; values?: unknown[] }];
      if (config.values) statements.push({ text: config.text, values: config.values });
      return query(...args);
    };
    Object.assign(client, { query: recording });
  });
  const storage = await createPostgresStorage({ pool, schema, timeouts: unhurried });
  await renew(connectionString);
  await storage.migrate();
  await runOnce(connectionString, seed);
  return {
    storage,
    pool,
    async record(call) {
      statements.length = 0;
      await call();
      return statements.splice(0);
    },
    async planOf(statement) {
      if (statement === undefined) throw new Error("No such statement was made");
      const { rows } = await pool.query(`explain ${statement.text}`, statement.values);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    },
    async execute({ text, values }) {
      const { rows } = await pool.query(`explain (analyze, format json) ${text}`, values);
      return rows[0]["QUERY PLAN"][0].Plan;
    },
    async close() {
      await storage.close();
      await pool.end();
      if (isGiven()) await runOnce(connectionString, `drop schema "${schema}" cascade`);
    },
  };
}
