import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { newSchema, runOnce, testPostgresUrl, unhurried } from "../test/open-test-storage.ts";
import { createPostgresStorage } from "./create-postgres-storage.ts";

const script = fileURLToPath(new URL("../test/migrate.ts", import.meta.url));

test("of five processes that migrate at once one migrates, and the others wait", async () => {
  const connectionString = await testPostgresUrl();
  const schema = newSchema();
  const runs = await Promise.all(
    Array.from({ length: 5 }, () =>
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
  expect(migrated.sort((a, b) => b.length - a.length)).toEqual([names, [], [], [], []]);
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
  const storage = await createPostgresStorage({ connectionString: url.href, schema: name });
  expect((await storage.migrate()).length).toBeGreaterThan(0);
  await storage.close();
  await runOnce(connectionString, `drop schema "${name}" cascade; drop role "${name}"`);
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
