import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pid, platform } from "node:process";
import type { Posthorn, Storage } from "@posthorn/core";
import { copyTables, sideOf, tableNames } from "@posthorn/storage-sql";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import {
  openTestPostgres,
  testPostgresUrl,
  withParameters,
} from "../../storage-postgres/test/open-test-storage.ts";
import { copiedTables } from "../../storage-sql/src/copied-tables.ts";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { loadConfig } from "../src/program/settings/config.ts";
import { assertUnused } from "../src/service/database/assert-unused.ts";
import { type OpenedService, openService } from "../src/service/open-service.ts";
import { makeFolder, runCommand } from "./run-command.ts";

const password = "a long and odd passphrase";

/** The folder of a closed source, of which each test gets a copy: to fill one took most of the tests' time. */
let filled = "";
beforeAll(async () => {
  filled = mkdtempSync(join(tmpdir(), "posthorn-copy-"));
  const service = await openSource(filled);
  await fill(service.posthorn);
  await service.close();
});
afterAll(() => rmSync(filled, { recursive: true }));

async function openSource(cwd: string): Promise<OpenedService> {
  const { values } = loadConfig({}, {}, {});
  const databaseUrl = `sqlite:${join(cwd, "source.db")}`;
  return openService(
    { ...values, database_url: databaseUrl, webhook_allow_private: true },
    { database: "make" },
  );
}

/** Opens a service on a SQLite file with rows in most tables. */
async function makeSource(cwd: string): Promise<OpenedService> {
  cpSync(filled, cwd, { recursive: true });
  const service = await openSource(cwd);
  onTestFinished(() => service.close());
  return service;
}

async function fill(posthorn: Posthorn): Promise<void> {
  await posthorn.plans.create({ name: "Free", isDefault: true });
  const user = await posthorn.users.create({ name: "Zoë", email: "Zoe@example.com", password });
  const as = await posthorn.findUser(user.id);
  if (as === undefined) throw new Error("the user is gone");
  const gone = await posthorn.workspaces.create({ name: "Gone" }, { as });
  const { id: workspaceId } = await posthorn.workspaces.create({ name: "Shop" }, { as });
  const call = { as, workspaceId };
  await posthorn.stylesheets.create({ name: "brand", css: "p { color: red }" }, call);
  await posthorn.templates.create({ name: "hello", text: "Hello {{name}}" }, call);
  await posthorn.webhooks.create({ url: "http://127.0.0.1:9/", events: ["*"] }, call);
  const { key } = await posthorn.apiKeys.create({ name: "shop" }, call);
  const sender = await posthorn.authenticateApiKey(key);
  if (sender === undefined) throw new Error("the key is gone");
  for (let index = 0; index < 60; index += 1) {
    await posthorn.as(sender).emails.send({
      from: "shop@example.com",
      to: [`Ω${index}@example.com`.replace("Ω", "o")],
      subject: `Nr ${index} ☂`,
      text: "Hi",
      idempotencyKey: `K-${index}`,
    });
  }
  const attachments = [{ filename: "a.bin", content: Buffer.alloc(200_000, 7) }];
  await posthorn.as(sender).emails.send({
    from: "shop@example.com",
    to: ["files@example.com"],
    subject: "Files",
    text: "Hi",
    attachments,
  });
  await posthorn.as(sender).attachments.upload({ filename: "b.bin", content: Buffer.alloc(200_000, 7) });
  await posthorn.workspaces.delete({ name: gone.name }, { as, workspaceId: gone.id });
}

/** Rows that describe the old database. */
const stay: string[] = ["schema_migrations", "workers", "jobs"];

/** Dumps a database, except for rows that describe the database itself. */
async function dump(storage: Storage): Promise<Record<string, unknown[]>> {
  const { db } = sideOf(storage);
  const tables: Record<string, unknown[]> = {};
  for (const name of tableNames()) {
    if (stay.includes(name)) continue;
    const rows: Record<string, unknown>[] = await db.selectFrom(name).selectAll().execute();
    tables[name] = rows
      .filter((row) => name !== "facts" || !["timeline", "file"].includes(String(row["name"])))
      .map((row) =>
        JSON.stringify(
          Object.entries(row)
            .map(([column, value]) => [column, typeof value === "boolean" ? Number(value) : value])
            .sort(),
        ),
      )
      .sort();
  }
  return tables;
}

test("copies every column of every table, except tables that belong to the old database", async () => {
  const storage = await openTestSqlite();
  onTestFinished(() => storage.close());
  await storage.migrate();
  const prefix = "posthorn_";
  const tables = (await sideOf(storage).db.introspection.getTables())
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, columns }) => ({ name: name.slice(prefix.length), columns }))
    .filter(({ name }) => !stay.includes(name));
  const columnsOf = (names: string[]): string[] => [...names].sort();
  expect(
    Object.fromEntries(copiedTables.map(({ name, types }) => [name, columnsOf(Object.keys(types))])),
  ).toEqual(
    Object.fromEntries(tables.map(({ name, columns }) => [name, columnsOf(columns.map((one) => one.name))])),
  );
});

test("moves everything from SQLite to PostgreSQL and back, and new rows continue the ids", async () => {
  const cwd = makeFolder();
  const source = await makeSource(cwd);
  const before = await dump(source.storage);
  expect(before["emails"]?.length).toBe(61);
  expect(before["blob_chunks"]?.length).toBe(2);

  const postgres = await openTestPostgres();
  onTestFinished(() => postgres.close());
  await copyTables(sideOf(source.storage), sideOf(postgres));
  expect(await dump(postgres)).toEqual(before);
  const there = await postgres.workspaces.insert({ name: "New", createdAt: 1 });
  expect(there.id).toBe(3);

  const back = await createSqliteStorage({ filename: join(cwd, "back.db") });
  onTestFinished(() => back.close());
  await back.migrate();
  await copyTables(sideOf(postgres), sideOf(back));
  expect(await dump(back)).toEqual(await dump(postgres));
  expect((await back.workspaces.insert({ name: "Newer", createdAt: 1 })).id).toBe(4);
});

test("never reuses an id, even if its row is gone", async () => {
  const cwd = makeFolder();
  const source = await makeSource(cwd);
  const as = await source.posthorn.findUser(1);
  if (as === undefined) throw new Error("the user is gone");
  await source.posthorn.workspaces.delete({ name: "Shop" }, { as, workspaceId: 2 });
  const postgres = await openTestPostgres();
  onTestFinished(() => postgres.close());
  await copyTables(sideOf(source.storage), sideOf(postgres));
  expect((await postgres.workspaces.insert({ name: "Third", createdAt: 1 })).id).toBe(3);
});

test("an interrupted copy continues where it stopped", async () => {
  const cwd = makeFolder();
  const source = await makeSource(cwd);
  const target = await createSqliteStorage({ filename: join(cwd, "target.db") });
  onTestFinished(() => target.close());
  await target.migrate();
  let total = 0;
  let copied = 0;
  // Interrupted after each chunk, until one run completes.
  for (let runs = 0, isDone = false; !isDone; runs += 1) {
    expect(runs).toBeLessThan(200);
    const interruption = new AbortController();
    isDone = await copyTables(sideOf(source.storage), sideOf(target), {
      signal: interruption.signal,
      onTotal: (rows, before) => {
        total = rows;
        expect(before).toBe(copied);
      },
      onCopied: (rows) => {
        copied += rows;
        interruption.abort(new Error("stop"));
      },
    }).then(
      () => true,
      (error: unknown) => {
        if (!interruption.signal.aborted) throw error;
        return false;
      },
    );
  }
  expect(copied).toBe(total);
  expect(await dump(target)).toEqual(await dump(source.storage));
});

test("refuses a target with other data, and leaves it unchanged", async () => {
  const cwd = makeFolder();
  const source = await makeSource(cwd);
  const target = await createSqliteStorage({ filename: join(cwd, "target.db") });
  onTestFinished(() => target.close());
  await target.migrate();
  await target.workspaces.insert({ name: "Elsewhere", createdAt: 1 });
  const before = await dump(target);
  await expect(copyTables(sideOf(source.storage), sideOf(target))).rejects.toThrow(
    "rows that the source does not have",
  );
  expect(await dump(target)).toEqual(before);
});

test("a PostgreSQL database is in use while any process has it open, even idle and without a worker", async () => {
  for (const name of [{}, { application_name: "shop-mail" }]) {
    const databaseUrl = withParameters(await testPostgresUrl(), name);
    // With the connection name of a service, which a test's own connections lack.
    const storage = await openTestPostgres({ connectionString: databaseUrl });
    const message = expect.stringMatching(/in use by Posthorn from .+: PostgreSQL's processes \d+/);
    await expect(assertUnused(databaseUrl)).rejects.toMatchObject({ failure: "conflict", message });
    await storage.close();
    // The server notices the end of a connection a moment after the client.
    await vi.waitFor(() => assertUnused(databaseUrl), { timeout: 60_000 });
  }
});

test("a key file beside a database whose key is set is neither named nor copied", async () => {
  const cwd = makeFolder();
  const env = { SERVICE_SECRET_KEY: "only for the tests, 0123456789abcdef", SERVICE_SMTP_URL: "capture:" };
  writeFileSync(join(cwd, "source.secret"), "another key, of a former database 0123456789\n");
  expect(await runCommand(["migrate", "--database-url", "sqlite:source.db"], { cwd, env })).toMatchObject({
    code: 0,
  });
  const copied = await runCommand(["copy", "--from", "sqlite:source.db", "--to", "sqlite:target.db"], {
    ...{ cwd, env },
  });
  expect(copied).toMatchObject({ code: 0, stderr: expect.stringContaining("the same SERVICE_SECRET_KEY") });
  expect(copied.stderr).not.toContain(".secret");
  expect(existsSync(join(cwd, "target.secret"))).toBe(false);
});

test("a copy of a backup finds its key beside the database that the backup was made of, and says where none is", async () => {
  const cwd = makeFolder();
  const env = { SERVICE_SMTP_URL: "capture:", SERVICE_DATABASE_URL: "sqlite:shop.db" };
  const run = (...args: string[]) => runCommand(args, { cwd, env });
  for (const args of [["migrate"], ["plans", "create", "Free"], ["backup", "monday.db"]])
    expect(await run(...args)).toMatchObject({ code: 0 });
  const copied = await run("copy", "--from", "sqlite:monday.db", "--to", "sqlite:target.db");
  expect(copied).toMatchObject({ code: 0, stderr: expect.stringContaining("was copied to target.secret") });
  expect(readFileSync(join(cwd, "target.secret"))).toEqual(readFileSync(join(cwd, "shop.secret")));
  writeFileSync(join(cwd, "shop.secret"), "the key of another database 0123456789\n");
  const keyless = await run("copy", "--from", "sqlite:monday.db", "--to", "sqlite:second.db");
  expect(keyless.stderr).toContain("neither in SERVICE_SECRET_KEY nor in monday.secret");
  expect(existsSync(join(cwd, "second.secret"))).toBe(false);
});

test("the command copies, reports the counts, and refuses the same database and missing ones", async () => {
  const cwd = makeFolder();
  const source = await makeSource(cwd);
  // It runs no worker: an API that accepts mail also prevents the copy.
  const early = await runCommand(["copy", "--from", "sqlite:source.db", "--to", "sqlite:target.db"], { cwd });
  expect(early).toMatchObject({ code: 5, stdout: "" });
  expect(early.stderr).toMatch(new RegExp(`source\\.db is in use.*${platform === "linux" ? pid : ""}`));
  expect(existsSync(join(cwd, "target.db"))).toBe(false);
  const replace = ["config", "replace-secret-key", "--yes", "--database-url", "sqlite:source.db"];
  const replaced = await runCommand(replace, { cwd });
  expect(replaced).toMatchObject({ code: 5, stderr: expect.stringContaining("source.db is in use") });
  await source.close();
  const copied = await runCommand(["copy", "--from", "sqlite:source.db", "--to", "sqlite:target.db"], {
    cwd,
  });
  expect(copied.stderr).toContain("✓");
  expect(readFileSync(join(cwd, "target.secret"))).toEqual(readFileSync(join(cwd, "source.secret")));
  expect(copied.code).toBe(0);
  expect(JSON.parse(copied.stdout)).toContainEqual({ table: "emails", rows: 61 });
  for (const same of ["sqlite:source.db", "sqlite:./source.db", `sqlite:${join(cwd, "source.db")}`])
    expect(await runCommand(["copy", "--from", "sqlite:source.db", "--to", same], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the same database"),
    });
  for (const [from, to, code, advice] of [
    ["sqlite:a.db", "sqlite:b.db", 3, "Name the database to copy with --from."],
    ["sqlite:.", "sqlite:b.db", 2, "Name the SQLite file in it."],
    ["sqlite:source.db", "oracle:b", 2, "An example: --to sqlite:./posthorn.db"],
    ["sqlite:source.db", "sqlite:none/b.db", 3, "Create the folder, or correct --to."],
    ["sqlite:source.db", "postgres://127.0.0.1:1/shop", 7, "correct the host and the port in --to."],
    ["postgres://127.0.0.1:1/shop", "sqlite:b.db", 7, "correct the host and the port in --from."],
  ] as const)
    expect(await runCommand(["copy", "--from", from, "--to", to], { cwd }), to).toMatchObject({
      code,
      stderr: expect.stringContaining(advice),
    });
});
