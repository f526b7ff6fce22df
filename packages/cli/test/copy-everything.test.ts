import type { Storage } from "@posthorn/core";
import { createWorld, type World, type WorldOptions } from "@posthorn/core/testing";
import { copyTables, sideOf } from "@posthorn/storage-sql";
import { createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { fillDatabase, type Used, visit } from "../../core/test/fill-database.ts";
import { about } from "../../core/test/returned-mail.ts";
import { openTestPostgres } from "../../storage-postgres/test/open-test-storage.ts";
import { copiedTables } from "../../storage-sql/src/copied-tables.ts";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";

const options: WorldOptions = {
  baseUrl: "https://mail.example",
  inboundHost: "in.post.example",
  trackingHost: "links.post.example",
  returnPathDomain: "bounces.post.example",
};

/** All rows of a database that are copied, by table and in the order of their text. */
async function dump(storage: Storage): Promise<Record<string, string[]>> {
  const tables: Record<string, string[]> = {};
  for (const { name, staying } of copiedTables) {
    const rows: Record<string, unknown>[] = await sideOf(storage).db.selectFrom(name).selectAll().execute();
    const textOf = (row: Record<string, unknown>) =>
      JSON.stringify(
        Object.entries(row)
          .map(([column, value]) => [column, typeof value === "boolean" ? Number(value) : value])
          .sort(),
      );
    tables[name] = rows
      .filter((row) => !staying.includes(String(row["name"])))
      .map(textOf)
      .sort();
  }
  return tables;
}

/**
 * The last id that each table gave out. SQLite gives out the ids of some tables again once they are empty, and no others
 * than PostgreSQL while they are not.
 */
async function lastIds(storage: Storage, rows: Record<string, string[]>): Promise<Record<string, number>> {
  const { db, engine } = sideOf(storage);
  const ids: Record<string, number> = {};
  for (const { name, types } of copiedTables)
    if (Object.hasOwn(types, "id") && rows[name]?.length !== 0) ids[name] = await engine.lastId(db, name);
  return ids;
}

async function copy(from: Storage, to: Storage): Promise<void> {
  await copyTables(sideOf(from), sideOf(to));
  const rows = await dump(from);
  expect(await dump(to)).toEqual(rows);
  expect(await lastIds(to, rows)).toEqual(await lastIds(from, rows));
}

/** Uses in a copy what mail that was sent before it carries, and what keys and rows it has. */
async function goOn(
  { posthorn, mailer, clock }: World,
  { mail, ...used }: Used,
  times: number,
): Promise<void> {
  const call = { workspaceId: used.workspaceId };
  const owner = await posthorn.findUser(used.owner);
  if (owner === undefined) throw new Error("the owner is gone");
  const as = { as: owner, ...call };
  posthorn.recordOpen(mail.image, visit);
  expect(posthorn.followLink(mail.link, visit)).toBe("https://shop.example/1");
  await posthorn.drain();
  const { opens, clicks } = await posthorn.emails.get({ emailId: used.emailId }, call);
  expect([opens?.count, clicks?.count]).toEqual([times + 1, times + 1]);
  await posthorn.unsubscriptions.create({ token: mail.unsubscribe });
  expect(await posthorn.inbound.feed({ message: about(mail.ref) }, as)).toMatchObject({
    emailId: used.emailId,
  });
  const key = await posthorn.authenticateApiKey(used.key);
  if (key === undefined) throw new Error("the key is gone");
  const shop = posthorn.as(key);
  const again = {
    from: "ada@shop.example",
    to: ["ada@example.com"],
    template: "hello",
    dedupeKey: "order 7",
  };
  expect((await shop.emails.sendTemplate(again)).id).toBe(used.emailId);
  await posthorn.queue.resume({}, { as: { kind: "operator", name: "test" } });
  clock.advance(24 * 3_600_000);
  mailer.inbox.clear();
  const to = [`new${times}@example.com`];
  await shop.emails.sendTemplate({
    from: "ada@shop.example",
    to,
    template: "hello",
    templateData: { name: "N" },
  });
  await posthorn.drain();
  const [sent] = mailer.inbox.all().filter(({ envelope }) => envelope.to[0] === to[0]);
  expect(sent?.dkim?.[0]).toMatchObject({ domain: "shop.example" });
  expect(sent?.html).toContain("https://links.shop.example/c/");
}

test("a database in which everything was used moves to PostgreSQL and back, row by row, and goes on each time", async () => {
  const sqlite = await openTestSqlite();
  const first = await createWorld(sqlite, options);
  onTestFinished(() => first.close());
  const used = await fillDatabase(first);
  const rows = await dump(sqlite);
  const passing = ["blob_uploads", "claims", "claim_items", "list_imports"];
  expect(Object.keys(rows).filter((name) => rows[name]?.length === 0)).toEqual(passing);

  const postgres = await openTestPostgres();
  await postgres.migrate();
  await copy(sqlite, postgres);
  const second = await createWorld(postgres, { ...options, clock: first.clock, dns: first.dns });
  await goOn(second, used, 1);
  await second.posthorn.close();

  const back = await createSqliteStorage({ filename: ":memory:" });
  await back.migrate();
  await copy(postgres, back);
  const third = await createWorld(back, { ...options, clock: first.clock, dns: first.dns });
  onTestFinished(() => third.close());
  await goOn(third, used, 2);
  await second.close();
});
