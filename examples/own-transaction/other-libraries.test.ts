import { ServiceError } from "@posthorn/core";
import { createWorld } from "@posthorn/core/testing";
import { testHostTransactions } from "@posthorn/core/testing/contract";
import { hostTransaction, type OpenTransaction } from "@posthorn/storage-postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestPostgres, testPostgresUrl } from "../../packages/storage-postgres/test/open-test-storage.ts";
import { bearsNothingAfterEnd, type Library, libraries } from "./test-libraries.ts";

let url = "";
let pool: pg.Pool;
beforeAll(async () => {
  url = await testPostgresUrl();
  pool = new pg.Pool({ connectionString: url, max: 1 });
  await pool.query("create table library_notes (id int generated always as identity, text text)");
});
afterAll(async () => {
  await pool.query("drop table library_notes");
  await pool.end();
});

const notes = async (): Promise<string[]> =>
  (await pool.query<{ text: string }>("select text from library_notes order by id")).rows.map(
    ({ text }) => text,
  );

describe.each(Object.entries(libraries))("%s", (name, open) => {
  let library: Library;
  beforeAll(async () => {
    library = await open(url);
  });
  afterAll(() => library.close());

  const openHost = async () => {
    await pool.query("truncate library_notes");
    return { ...library, notes, storage: await openTestPostgres(), close: async () => {} };
  };
  testHostTransactions(`PostgreSQL, by ${name}`, openHost, {
    bearsNothingAfterEnd: bearsNothingAfterEnd(name),
    recipients: 40,
  });

  if (bearsNothingAfterEnd(name)) return;
  test("refuses calls after the transaction's end, and leaves the host's other transactions intact", async () => {
    await pool.query("truncate library_notes");
    const { posthorn, addWorkspace, close } = await createWorld(await openTestPostgres());
    const { id: workspaceId } = await addWorkspace();
    const send = (subject: string, transaction: unknown) =>
      posthorn.emails.send(
        { to: ["ada@example.com"], subject, text: "Hello." },
        { workspaceId, transaction: transaction as OpenTransaction },
      );
    const ended = await library.transaction(async ({ transaction }) => {
      await send("first", transaction);
      return transaction;
    });
    await library.transaction(async ({ transaction, note }) => {
      await note("before");
      await expect(send("late", ended)).rejects.toThrow();
      await note("after");
      await send("second", transaction);
    });
    expect(await notes()).toEqual(["before", "after"]);
    const { items } = await posthorn.emails.list({}, { workspaceId });
    expect(items.map(({ subject }) => subject)).toEqual(["second", "first"]);
    await close();
  });
});

test("statements outside a transaction are reported as such, and nothing is written", async () => {
  const { posthorn, addWorkspace, close } = await createWorld(await openTestPostgres());
  const { id: workspaceId } = await addWorkspace();
  const transaction = hostTransaction(async (text, values) => (await pool.query(text, [...values])).rows);
  const mail = { to: ["ada@example.com"], subject: "alone", text: "Hello." };
  const error = await posthorn.emails
    .send(mail, { workspaceId, transaction })
    .catch((thrown: unknown) => thrown);
  expect(error).not.toBeInstanceOf(ServiceError);
  expect(String(error)).toContain("no transaction is open where hostTransaction's query runs");
  expect((await posthorn.emails.list({}, { workspaceId })).items).toEqual([]);
  await close();
});
