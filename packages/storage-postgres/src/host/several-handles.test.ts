import type { JoinedRepositories } from "@posthorn/core/storage";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openTestPostgres, testPostgresUrl } from "../../test/open-test-storage.ts";
import { hostTransaction } from "../index.ts";

const createdAt = Date.UTC(2026, 0, 1);

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

test("calls at the same time take turns on a transaction that the host wraps for each of them", async () => {
  const storage = await openTestPostgres();
  const client = new pg.Client({ connectionString: await testPostgresUrl() });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await storage.close();
  });
  const wrap = () => hostTransaction((text, values) => client.query(text, [...values]));
  const insert = async ({ workspaces }: JoinedRepositories, ...names: string[]): Promise<void> => {
    for (const name of names) await workspaces.insert({ name, createdAt });
  };
  await client.query("begin");
  const refused = (name: string) =>
    storage.within(wrap()).savepoint(async (within) => {
      await insert(within, name);
      throw new Error("refused");
    });
  const accepted = (...names: string[]) =>
    storage.within(wrap()).savepoint((within) => insert(within, ...names));
  const outcomes = await Promise.allSettled([
    refused("a"),
    accepted("b", "c", "d"),
    refused("e"),
    accepted("f", "g"),
    storage.within(wrap()).workspaces.find(0),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    "rejected",
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  expect(outcomes[0]).toMatchObject({ reason: { message: "refused" } });
  await client.query("commit");
  const { items } = await storage.workspaces.list({ q: undefined }, { offset: 0, limit: 100 });
  expect(items.map(({ name }) => name).sort()).toEqual(["b", "c", "d", "f", "g"]);
});
