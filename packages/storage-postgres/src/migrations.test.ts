import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createWorld } from "@posthorn/core/testing";
import { sideOf } from "@posthorn/storage-sql";
import { sql } from "kysely";
import pg from "pg";
import { expect, test } from "vitest";
import {
  newSchema,
  openTestPostgres,
  runOnce,
  takeTestSchema,
  testPostgresUrl,
  unhurried,
} from "../test/open-test-storage.ts";
import { createPostgresStorage } from "./create-postgres-storage.ts";

const script = fileURLToPath(new URL("../test/migrate.ts", import.meta.url));

test("of three processes that migrate at once one migrates, and the others wait", async () => {
  const connectionString = await testPostgresUrl();
  const schema = newSchema();
  const runs = await Promise.all(
    Array.from({ length: 3 }, () =>
      promisify(execFile)(process.execPath, [
        "--conditions=posthorn-source",
        script,
        connectionString,
        schema,
      ]),
    ),
  );
  const migrated = runs.map(({ stdout }) => JSON.parse(stdout) as string[]);
  const storage = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  const names = (await storage.migrations()).map(({ name }) => name);
  expect(migrated.sort((a, b) => b.length - a.length)).toEqual([names, [], []]);
  await storage.close();
  await runOnce(connectionString, `drop schema "${schema}" cascade`);
});

test("one process migrates as often as it is asked to", async () => {
  const storage = await openTestPostgres();
  for (let time = 0; time < 4; time += 1) expect(await storage.migrate()).toEqual([]);
  await storage.close();
});

test("migrating reads of no other schema's tables, of which a database may have many thousands", async () => {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const pool = new pg.Pool({ connectionString, max: 1 });
  const answers: unknown[] = [];
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<{ rows: unknown[] }>;
    Object.assign(client, {
      async query(...args: unknown[]) {
        const answer = await query(...args);
        answers.push(answer.rows);
        return answer;
      },
    });
  });
  await runOnce(connectionString, "create table public.table_of_another (id int)");
  const storage = await createPostgresStorage({ pool, schema, timeouts: unhurried });
  expect(await storage.migrate()).toEqual([]);
  expect(await storage.migrations()).toHaveLength(1);
  expect(JSON.stringify(answers)).toContain("schema_migrations");
  expect(JSON.stringify(answers)).not.toContain("table_of_another");
  await storage.close();
  await pool.end();
  await runOnce(connectionString, "drop table public.table_of_another");
  await giveBack();
});

test("a clock that counts fractions of milliseconds dates migrations by whole ones", async () => {
  const connectionString = await testPostgresUrl();
  const schema = newSchema();
  const clock = { now: () => 1_767_225_600_000.25 };
  const storage = await createPostgresStorage({ connectionString, schema, clock, timeouts: unhurried });
  await storage.migrate();
  expect((await storage.migrations())[0]?.appliedAt).toBe(1_767_225_600_000);
  await storage.close();
  await runOnce(connectionString, `drop schema "${schema}" cascade`);
});

test("an unmigrated storage says so", async () => {
  const connectionString = await testPostgresUrl();
  const storage = await createPostgresStorage({ connectionString, schema: newSchema(), timeouts: unhurried });
  const migrations = await storage.migrations();
  expect(migrations.length).toBeGreaterThan(0);
  expect(migrations.every(({ appliedAt }) => appliedAt === undefined)).toBe(true);
  await storage.close();
});

test("a role that may not create schemas migrates the one that it has", async () => {
  const connectionString = await testPostgresUrl();
  const name = newSchema();
  await runOnce(
    connectionString,
    `create role "${name}" login password 'secret'; create schema "${name}" authorization "${name}"`,
  );
  const url = new URL(connectionString);
  url.username = name;
  url.password = "secret";
  const storage = await createPostgresStorage({
    connectionString: url.href,
    schema: name,
    timeouts: unhurried,
  });
  expect((await storage.migrate()).length).toBeGreaterThan(0);
  await storage.close();
  await runOnce(connectionString, `drop schema "${name}" cascade; drop role "${name}"`);
});

test("a role that owns nothing, and has the rights to read and write, finds nothing to migrate and works", async () => {
  const connectionString = await testPostgresUrl();
  const schema = newSchema();
  const owners = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  await owners.migrate();
  await owners.close();
  const role = `${schema}_service`;
  await runOnce(
    connectionString,
    `create role "${role}" login password 'secret'; grant usage on schema "${schema}" to "${role}";
    grant select, insert, update, delete on all tables in schema "${schema}" to "${role}";
    grant usage, select on all sequences in schema "${schema}" to "${role}"`,
  );
  const url = new URL(connectionString);
  url.username = role;
  url.password = "secret";
  const storage = await createPostgresStorage({
    connectionString: url.href,
    schema,
    timeouts: unhurried,
  });
  expect(await storage.migrate()).toEqual([]);
  await storage.operations.replaceFact("timeline", "00000000");
  expect(await storage.migrate()).toEqual([]);
  const { posthorn, addWorkspace, mailer, close } = await createWorld(storage);
  const { id: workspaceId } = await addWorkspace();
  await posthorn.emails.send({ subject: "S", text: "T", to: ["ada@example.com"] }, { workspaceId });
  await posthorn.drain();
  expect(mailer.inbox.all()).toHaveLength(1);
  await close();
  await runOnce(
    connectionString,
    `drop schema "${schema}" cascade; drop owned by "${role}"; drop role "${role}"`,
  );
});

test("a migration waits for other processes, and for a table only as long as everybody", async () => {
  const storage = await openTestPostgres({ timeouts: { ...unhurried, lock: 1_234 } });
  const { db, engine } = sideOf(storage);
  const waits = await db.transaction().execute(async (transaction) => {
    await engine.lockMigrations(transaction);
    return sql<{ ms: string }>`select current_setting('lock_timeout') as ms`.execute(transaction);
  });
  expect(waits.rows).toEqual([{ ms: "1234ms" }]);
  await storage.close();
});

test("columns of base64 file contents are not compressed", async () => {
  const connectionString = await testPostgresUrl();
  const schema = newSchema();
  const storage = await createPostgresStorage({ connectionString, schema, timeouts: unhurried });
  await storage.migrate();
  const rows = await runOnce(
    connectionString,
    `select attstorage from pg_attribute where attrelid = '"${schema}".blob_chunks'::regclass and attname = 'content'`,
  );
  expect(rows).toEqual([{ attstorage: "e" }]);
  await storage.close();
  await runOnce(connectionString, `drop schema "${schema}" cascade`);
});
