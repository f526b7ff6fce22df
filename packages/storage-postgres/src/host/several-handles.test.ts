import type { JoinedRepositories } from "@posthorn/core/storage";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openTestPostgres, testPostgresUrl } from "../../test/open-test-storage.ts";
import { hostTransaction, type PostgresTransaction } from "../index.ts";

const createdAt = Date.UTC(2026, 0, 1);

interface Host {
  /** Runs work in a transaction, for which each call of the function that it gets makes another handle. */
  transaction(work: (handle: () => PostgresTransaction) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

test("a call that begins while another's statement has failed goes on once that is rolled back", async () => {
  const storage = await openTestPostgres();
  const client = new pg.Client({ connectionString: await testPostgresUrl() });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await storage.close();
  });
  const failing = Promise.withResolvers<void>();
  const wrap = (onInsert = () => {}) =>
    hostTransaction((text, values) => {
      const answer = client.query(text, [...values]);
      if (text.includes("insert into")) onInsert();
      return answer;
    });
  await client.query("begin");
  const refused = storage
    .within(wrap(failing.resolve))
    .savepoint(({ workspaces }) => workspaces.insert({ name: "a", createdAt: 0.5 }));
  await Promise.race([failing.promise, refused]);
  const accepted = storage
    .within(wrap())
    .savepoint(({ workspaces }) => workspaces.insert({ name: "b", createdAt }));
  await expect(refused).rejects.toMatchObject({ code: "22P02" });
  expect(await accepted).toMatchObject({ name: "b" });
  await expect(client.query("select 1 / 0")).rejects.toThrow("division by zero");
  await expect(storage.within(wrap()).workspaces.find(0)).rejects.toMatchObject({ code: "25P02" });
  await client.query("rollback");
});

const openByWrapping: () => Promise<Host> = async () => {
  const client = new pg.Client({ connectionString: await testPostgresUrl() });
  await client.connect();
  return {
    async transaction(work) {
      await client.query("begin");
      await work(() => hostTransaction((text, values) => client.query(text, [...values])));
      await client.query("commit");
    },
    close: () => client.end(),
  };
};

const openByKyselyViews: () => Promise<Host> = async () => {
  const pool = new pg.Pool({ connectionString: await testPostgresUrl() });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  return {
    transaction: (work) =>
      db.transaction().execute((transaction) => work(() => transaction.withSchema("shop"))),
    close: () => db.destroy(),
  };
};

test.for([
  ["that the host wraps for each of them", openByWrapping],
  ["of which each has a Kysely view", openByKyselyViews],
] as const)("calls at the same time take turns on a transaction %s", async ([, open]) => {
  const storage = await openTestPostgres();
  const host = await open();
  onTestFinished(async () => {
    await host.close();
    await storage.close();
  });
  const insert = async ({ workspaces }: JoinedRepositories, ...names: string[]): Promise<void> => {
    for (const name of names) await workspaces.insert({ name, createdAt });
  };
  await host.transaction(async (handle) => {
    const refused = (name: string) =>
      storage.within(handle()).savepoint(async (within) => {
        await insert(within, name);
        throw new Error("refused");
      });
    const accepted = (...names: string[]) =>
      storage.within(handle()).savepoint((within) => insert(within, ...names));
    const outcomes = await Promise.allSettled([
      refused("a"),
      accepted("b", "c", "d"),
      refused("e"),
      accepted("f", "g"),
      storage.within(handle()).workspaces.find(0),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(outcomes[0]).toMatchObject({ reason: { message: "refused" } });
  });
  const { items } = await storage.workspaces.list({ q: undefined }, { offset: 0, limit: 100 });
  expect(items.map(({ name }) => name).sort()).toEqual(["b", "c", "d", "f", "g"]);
});
