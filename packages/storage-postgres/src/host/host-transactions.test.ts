import { randomUUID } from "node:crypto";
import { createWorld } from "@posthorn/core/testing";
import {
  testHostTransactions,
  testSendsBesideDeletion,
  testVerbsInHostTransactions,
  type WatchedHost,
} from "@posthorn/core/testing/contract";
import { CamelCasePlugin, Kysely, ParseJSONResultsPlugin, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openTestPostgres, rowsOf, testPostgresUrl } from "../../test/open-test-storage.ts";
import { hostTransaction } from "../index.ts";

const openPool = async (): Promise<pg.Pool> => {
  const pool = new pg.Pool({ connectionString: await testPostgresUrl(), max: 2 });
  await pool.query("create table if not exists host_notes (id int generated always as identity, text text)");
  await pool.query("truncate host_notes");
  return pool;
};

const notesIn = async (pool: pg.Pool): Promise<string[]> =>
  (await pool.query<{ text: string }>("select text from host_notes order by id")).rows.map(
    ({ text }) => text,
  );

const openHost = async (): Promise<WatchedHost> => {
  const pool = await openPool();
  const storage = await openTestPostgres();
  return {
    storage,
    async transaction(work) {
      const client = await pool.connect();
      try {
        await client.query("begin");
        const result = await work({
          transaction: client,
          note: async (text) =>
            void (await client.query("insert into host_notes (text) values ($1)", [text])),
        });
        await client.query("commit");
        return result;
      } catch (error) {
        await client.query("rollback");
        throw error;
      } finally {
        client.release();
      }
    },
    notes: () => notesIn(pool),
    rows: () => rowsOf(storage),
    wrong: [pool],
    close: () => pool.end(),
  };
};

testHostTransactions("PostgreSQL, by pg", openHost);
testSendsBesideDeletion("PostgreSQL", openHost);
testVerbsInHostTransactions("PostgreSQL, by pg", openHost);

testHostTransactions("PostgreSQL, by Kysely with plugins that change results", async () => {
  const pool = await openPool();
  const plugins = [new ParseJSONResultsPlugin(), new CamelCasePlugin()];
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }), plugins });
  return {
    storage: await openTestPostgres(),
    transaction: (work) =>
      db.transaction().execute((transaction) =>
        work({
          transaction,
          note: async (text) =>
            void (await sql`insert into host_notes (text) values (${text})`.execute(transaction)),
        }),
      ),
    notes: () => notesIn(pool),
    wrong: [pool, db],
    close: () => db.destroy(),
  };
});

/** A host's pool, which ends with the test. */
const usePool = async (): Promise<pg.Pool> => {
  const pool = await openPool();
  onTestFinished(() => pool.end());
  return pool;
};

test("an object that is no transaction is reported as what it is", async () => {
  const pool = await usePool();
  const storage = await openTestPostgres();
  const client = await pool.connect();
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  for (const [unusable, words] of [
    [pool, "is a pg pool: pass the client"],
    [client, "without an open transaction: begin one first"],
    [db, "is a Kysely database: pass the Transaction itself"],
    [new pg.Client({ binary: true } as pg.ClientConfig), "is a pg client in pg's binary format"],
    [{ query: () => {} }, "or what hostTransaction(query) makes of another library's"],
  ] as const)
    expect(() => storage.within(unusable as never)).toThrow(words);
  client.release();
  await storage.close();
});

test("what is no function for hostTransaction, or answers no rows, is reported as that", async () => {
  const pool = await usePool();
  const storage = await openTestPostgres();
  expect(() => hostTransaction(pool as never)).toThrow(
    new TypeError("hostTransaction takes a function that runs a statement in the open transaction"),
  );
  for (const answer of [undefined, null, 5, {}, { rows: 1 }])
    await expect(
      storage.within(hostTransaction(async () => answer as never)).workspaces.find(1),
    ).rejects.toThrow(
      new TypeError("hostTransaction's query must answer the statement's rows, or an object with its rows"),
    );
  await storage.close();
});

test("accepts any library's transaction, given how it runs a statement, however it parses values", async () => {
  const pool = await usePool();
  const storage = await openTestPostgres();
  const client = await pool.connect();
  await client.query("begin");
  const types = { getTypeParser: () => (text: string) => ({ text }) } as unknown as pg.CustomTypesConfig;
  const transaction = hostTransaction(async (text, values) => {
    const { rows } = await client.query<Record<string, { text: string } | null>>({
      text,
      values: [...values],
      types,
    });
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value?.text])),
    );
  });
  const { workspaces, usage } = storage.within(transaction);
  const made = await workspaces.insert({ name: 'A "quoted" name, ünïcode', createdAt: 1_767_225_600_000 });
  expect(await workspaces.lock(made.id)).toEqual(made);
  expect(made).toMatchObject({ name: 'A "quoted" name, ünïcode', createdAt: 1_767_225_600_000 });
  const request = {
    workspaceId: made.id,
    recipients: 1,
    hour: { start: 0, limit: 1 },
    day: { start: 0, limit: 0 },
  };
  expect((await usage.reserve([request, request])).map(({ allowed }) => allowed)).toEqual([true, false]);
  await client.query("commit");
  client.release();
  expect(await storage.workspaces.find(made.id)).toEqual(made);
  await storage.close();
});

test("accepts what another copy of the package made, as each bundle of a Next application has one", async () => {
  const pool = await usePool();
  const path = `${new URL("./host-transaction.ts", import.meta.url).href}?copy=other`;
  const copy: typeof import("./host-transaction.ts") = await import(path);
  expect(copy.hostTransaction).not.toBe(hostTransaction);
  const storage = await openTestPostgres();
  const client = await pool.connect();
  await client.query("begin");
  const transaction = copy.hostTransaction((text, values) => client.query(text, [...values]));
  expect(
    await storage.within(transaction).workspaces.list({ q: undefined }, { offset: 0, limit: 1 }),
  ).toEqual(await storage.workspaces.list({ q: undefined }, { offset: 0, limit: 1 }));
  await client.query("rollback");
  client.release();
  await storage.close();
});

test("a host's open transaction that counts without a limit does not block others from counting", async () => {
  const pool = await usePool();
  const storage = await openTestPostgres({ timeouts: { lock: 250 } });
  const { id: workspaceId } = await storage.workspaces.insert({ name: "Acme", createdAt: 1 });
  const request = {
    workspaceId,
    recipients: 1,
    hour: { start: 0, limit: 0 },
    day: { start: 0, limit: 0 },
  };
  const client = await pool.connect();
  await client.query("begin");
  await storage.within(client).usage.count([request]);
  await storage.usage.count([request]);
  expect(await storage.usage.find(workspaceId, 0, 0)).toEqual({ hour: 1, day: 1 });
  await client.query("commit");
  client.release();
  expect(await storage.usage.find(workspaceId, 0, 0)).toEqual({ hour: 2, day: 2 });
  await storage.close();
});

test("a host's open transaction holds up nobody who sends the same content, files and styles", async () => {
  const pool = await usePool();
  const storage = await openTestPostgres({ timeouts: { lock: 250 } });
  const { posthorn, addWorkspace, close } = await createWorld(storage);
  const { id: workspaceId, asOwner } = await addWorkspace();
  await posthorn.stylesheets.create({ name: "shop", css: "p { color: red }" }, asOwner);
  const attachments = [{ filename: "terms.txt", content: Buffer.from("Our terms.").toString("base64") }];
  const mail = { to: ["ada@example.com"], subject: "Closed", html: "<p>On Monday.</p>", attachments };
  await posthorn.emails.send(mail, { workspaceId });
  const client = await pool.connect();
  await client.query("begin");
  await posthorn.emails.send(mail, { workspaceId, transaction: client });
  const beside = await posthorn.emails.send(mail, { workspaceId }).catch((error: unknown) => error);
  await client.query("commit");
  client.release();
  await close();
  expect(beside).toMatchObject({ status: "queued" });
});

test("a write in a host's read-only transaction names that as the fault", async () => {
  const pool = await usePool();
  const storage = await openTestPostgres();
  const client = await pool.connect();
  const query = hostTransaction(async (text, values) => (await client.query(text, [...values])).rows);
  for (const transaction of [client, query]) {
    await client.query("begin read only");
    const { workspaces } = storage.within(transaction);
    const fault = "the host's transaction is read-only: begin it as READ WRITE";
    await expect(workspaces.insert({ name: "Acme", createdAt: 1 })).rejects.toThrow(fault);
    await client.query("rollback");
  }
  client.release();
  await storage.close();
});

test("a send rejects with the first failure of its statements, not with that of one which came after it", async () => {
  const pool = await usePool();
  const { posthorn, addWorkspace, close } = await createWorld(await openTestPostgres());
  const { id: workspaceId } = await addWorkspace();
  const client = await pool.connect();
  const query = hostTransaction(async (text, values) => (await client.query(text, [...values])).rows);
  for (const transaction of [client, query]) {
    await client.query("begin; create role posthorn_weak; set local role posthorn_weak");
    const mail = { to: ["ada@example.com"], subject: "Hi", text: "Hello." };
    const refused = posthorn.emails.send(mail, { workspaceId, transaction });
    await expect(refused).rejects.toMatchObject({ code: "42501" });
    await client.query("rollback");
  }
  client.release();
  await close();
});

test("a serialization failure is the library's own error, by which the host repeats its transaction", async () => {
  const pool = await usePool();
  const { posthorn, addWorkspace, close } = await createWorld(await openTestPostgres());
  const { id: workspaceId } = await addWorkspace();
  const client = await pool.connect();
  const wrapped = (cause: unknown) => new Error("Failed query", { cause });
  const query = hostTransaction(async (text, values) => {
    try {
      return (await client.query(text, [...values])).rows;
    } catch (error) {
      throw wrapped(error);
    }
  });
  for (const [transaction, expected] of [
    [client, { code: "40001" }],
    [query, { message: "Failed query", cause: { code: "40001" } }],
  ] as const) {
    await client.query("begin isolation level repeatable read");
    await client.query("select 1");
    // A key that is new, so that the host's snapshot has none.
    const mail = { to: ["ada@example.com"], subject: "Hi", text: "Hello.", dedupeKey: randomUUID() };
    await posthorn.emails.send(mail, { workspaceId });
    const late = posthorn.emails.send(mail, { workspaceId, transaction });
    await expect(late).rejects.toMatchObject(expected);
    await client.query("rollback");
  }
  client.release();
  await close();
});
