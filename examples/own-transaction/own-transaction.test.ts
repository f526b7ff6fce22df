import type { Posthorn } from "@posthorn/core";
import { createWorld, type World } from "@posthorn/core/testing";
import { createPostgresStorage } from "@posthorn/storage-postgres";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { expect, test } from "vitest";
import {
  newSchema,
  testPostgresUrl,
  unhurried,
} from "../../packages/storage-postgres/test/open-test-storage.ts";
import * as postgresShop from "./postgres-shop.ts";
import * as sqliteShop from "./sqlite-shop.ts";

const coat = { address: "ada@example.com", article: "coat", stock: 1 };
/** The worker polls so rarely that a mail within the test must be due to the commit. */
const seldom = { worker: { pollMs: 600_000 } };
const soldOut = { address: "grace@example.com", article: "hat", stock: 0 };

async function prepare({ posthorn, addWorkspace }: World): Promise<{ workspaceId: number }> {
  const workspace = await addWorkspace();
  await posthorn.templates.create(
    { name: "confirmation", subject: "Order {{orderId}}", text: "Your {{article}} is on its way." },
    workspace.asOwner,
  );
  return { workspaceId: workspace.id };
}

/** The first order may meet the poll with which a worker starts; the second arrives while it sleeps. */
async function expectWokenByCommit(posthorn: Posthorn, place: () => Promise<unknown>): Promise<void> {
  const sent = () => posthorn.counters().emails.sent;
  posthorn.start();
  for (const count of [sent() + 1, sent() + 2]) {
    await place();
    await expect.poll(sent, { timeout: 60_000, interval: 100 }).toBe(count);
  }
}

test("SQLite: a committed order is confirmed, a rolled back order leaves no e-mail", async () => {
  const database = new Sqlite(":memory:");
  database.pragma("foreign_keys = ON");
  database.pragma("synchronous = FULL");
  database.exec("create table orders (id integer primary key, address text not null, article text not null)");
  const world = await createWorld(await createSqliteStorage({ database }), seldom);
  const { posthorn, mailer } = world;
  const host = { database, posthorn, ...(await prepare(world)) };

  const { orderId } = await sqliteShop.placeOrder(coat, host);
  await expect(sqliteShop.placeOrder(soldOut, host)).rejects.toThrow("sold out");
  expect(await posthorn.drain()).toBe(1);
  expect(mailer.inbox.all()).toMatchObject([
    { subject: `Order ${orderId}`, text: "Your coat is on its way.", to: [{ address: "ada@example.com" }] },
  ]);
  expect(database.prepare("select article from orders").pluck().all()).toEqual(["coat"]);

  // Orders placed at the same moment take turns on the one handle.
  await Promise.all([1, 2, 3, 4].map(() => sqliteShop.placeOrder(coat, host)));
  await posthorn.drain();
  expect(mailer.inbox.all()).toHaveLength(5);

  await expectWokenByCommit(posthorn, () => sqliteShop.placeOrder(coat, host));
  await world.close();
  database.close();
});

test("PostgreSQL: a committed order is confirmed, a rolled back order leaves no e-mail", async () => {
  const schema = newSchema();
  const pool = new pg.Pool({
    connectionString: await testPostgresUrl(),
    max: 4,
    // The shop's own tables are in a schema of this test.
    options: `-c search_path=${schema}`,
  });
  await pool.query(`create schema ${schema}`);
  await pool.query(
    "create table orders (id int generated always as identity, address text not null, article text not null)",
  );
  const world = await createWorld(await createPostgresStorage({ pool, schema, timeouts: unhurried }), seldom);
  const { posthorn, mailer } = world;
  const host = { pool, posthorn, ...(await prepare(world)) };

  const { orderId } = await postgresShop.placeOrder(coat, host);
  await expect(postgresShop.placeOrder(soldOut, host)).rejects.toThrow("sold out");
  await Promise.all([1, 2, 3, 4].map(() => postgresShop.placeOrder(coat, host)));
  expect(await posthorn.drain()).toBe(5);
  expect(mailer.inbox.find({ to: "ada@example.com", subject: `Order ${orderId}` })?.text).toBe(
    "Your coat is on its way.",
  );
  expect(mailer.inbox.find({ to: "grace@example.com" })).toBeUndefined();
  const { rows } = await pool.query("select article, count(*)::int as count from orders group by article");
  expect(rows).toEqual([{ article: "coat", count: 5 }]);

  await expectWokenByCommit(posthorn, () => postgresShop.placeOrder(coat, host));

  // The connection is lost between two statements: the process goes on, and the error tells the cause.
  const cause = new Error("what the call met");
  const sendTemplate = async (_mail: unknown, { transaction }: { transaction?: pg.PoolClient }) => {
    const { rows } = (await transaction?.query("select pg_backend_pid() as pid")) ?? { rows: [] };
    const ended = new Promise((resolve) => void transaction?.once("end", resolve));
    await pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
    await ended;
    throw cause;
  };
  const failing = { ...host, posthorn: { emails: { sendTemplate } } as never };
  await expect(postgresShop.placeOrder(coat, failing)).rejects.toBe(cause);

  await world.close();
  await pool.query(`drop schema ${schema} cascade`);
  await pool.end();
});
