import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorld } from "@posthorn/core/testing";
import { createSqliteStorage, type SqliteTransaction } from "@posthorn/storage-sqlite";
import Database from "better-sqlite3";
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import createKnex from "knex";
import { DataSource } from "typeorm";
import { afterEach, beforeEach, expect, test } from "vitest";

let filename = "";
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "posthorn-libraries-"));
  filename = join(folder, "shop.db");
});
afterEach(() => rm(folder, { recursive: true }));

/** What the storage asks of a host's handle. */
const prepare = (database: Database.Database): Database.Database => {
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  database.exec("create table if not exists orders (article text)");
  return database;
};

/** A library's transaction: the work gets the handle to pass, and a way to order by the library. */
type InTransaction = (
  work: (transaction: SqliteTransaction, order: (article: string) => Promise<unknown>) => Promise<void>,
) => Promise<void>;

/** By library: the handle, its transactions and its end. */
const libraries: Record<
  string,
  () => Promise<{ database: Database.Database; inTransaction: InTransaction; close(): unknown }>
> = {
  async Drizzle() {
    const database = prepare(new Database(filename));
    const db = drizzle({ client: database });
    return {
      database,
      async inTransaction(work) {
        db.run(sql`begin immediate`);
        try {
          await work(db.$client, async (article) => db.run(sql`insert into orders values (${article})`));
          db.run(sql`commit`);
        } catch (error) {
          db.run(sql`rollback`);
          throw error;
        }
      },
      close: () => database.close(),
    };
  },
  async Knex() {
    const knex = createKnex({
      client: "better-sqlite3",
      connection: { filename },
      useNullAsDefault: true,
      pool: {
        min: 1,
        max: 1,
        afterCreate: (database: Database.Database, done: (error: null, one: unknown) => void) =>
          done(null, prepare(database)),
      },
    });
    const database: Database.Database = await knex.client.acquireConnection();
    await knex.client.releaseConnection(database);
    return {
      database,
      inTransaction: (work) =>
        knex.transaction(async (trx) =>
          work(await trx.client.acquireConnection(), async (article) => trx("orders").insert({ article })),
        ),
      close: () => knex.destroy(),
    };
  },
  async TypeORM() {
    const source = new DataSource({
      type: "better-sqlite3",
      database: filename,
      prepareDatabase: (database) => void prepare(database as Database.Database),
    });
    await source.initialize();
    const { databaseConnection } = source.driver as unknown as { databaseConnection: Database.Database };
    return {
      database: databaseConnection,
      inTransaction: (work) =>
        source.transaction((manager) =>
          work(databaseConnection, (article) => manager.query("insert into orders values (?)", [article])),
        ),
      close: () => source.destroy(),
    };
  },
};

test.each(Object.entries(libraries))(
  "%s on SQLite: an order and its e-mail are kept or dropped together",
  async (_, open) => {
    const { database, inTransaction, close } = await open();
    const world = await createWorld(await createSqliteStorage({ database }));
    const { id: workspaceId } = await world.addWorkspace();
    const shop = world.posthorn.workspace(workspaceId);
    const place = (article: string, fails: boolean) =>
      inTransaction(async (transaction, order) => {
        await order(article);
        const mail = { to: ["ada@example.com"], subject: `Your ${article}`, text: "It is on its way." };
        await shop.emails.send(mail, { transaction });
        if (fails) throw new Error("no stock");
      });
    await expect(place("hat", true)).rejects.toThrow("no stock");
    await place("coat", false);
    expect(database.prepare("select article from orders").all()).toEqual([{ article: "coat" }]);
    const { items } = await shop.emails.list();
    expect(items.map(({ subject }) => subject)).toEqual(["Your coat"]);
    await world.close();
    await close();
  },
);
