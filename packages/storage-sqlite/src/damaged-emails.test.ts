import Sqlite, { type Database } from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { claimAll, resultOf, sent } from "../../core/src/testing/contract/claims.ts";
import { NOW, newEmail, useSendingWorld } from "../../core/src/testing/contract/sending-world.ts";
import { createSqliteStorage } from "./create-sqlite-storage.ts";

const its = "email_id = (select id from posthorn_emails where uuid = ?)";

describe("damaged e-mails", () => {
  let database: Database;
  const world = useSendingWorld(async () => {
    database = new Sqlite(":memory:");
    database.pragma("foreign_keys = on");
    database.pragma("synchronous = full");
    const storage = await createSqliteStorage({ database });
    await storage.migrate();
    return storage;
  });

  test.each([
    [
      "JSON that ends too early",
      `update posthorn_email_payloads set payload = substr(payload, 1, 20) where ${its}`,
    ],
    ["JSON of another kind", `update posthorn_email_payloads set payload = '7' where ${its}`],
    ["no payload", `delete from posthorn_email_payloads where ${its}`],
    ["an unknown state", `update posthorn_email_recipients set state = '?' where ${its}`],
    ["no recipients", `delete from posthorn_email_recipients where ${its}`],
  ])("%s marks that e-mail and leaves the others alone", async (_, damage) => {
    const { emails, emailQueue } = world().storage;
    const [bad, good] = [newEmail(world()), newEmail(world())];
    await emails.insert([bad, good]);
    database.prepare(damage).run(bad.id);
    database.exec("update posthorn_emails set tags = '{', metadata = '[', to_addresses = 'x'");
    const claimed = await claimAll(world().storage);
    const payloads = await emailQueue.payloads(claimed.map(({ lease }) => lease));
    expect(
      claimed.map(({ email, damaged }, at) => [email.id, damaged || payloads[at] === undefined]),
    ).toEqual([
      [bad.id, true],
      [good.id, false],
    ]);
    expect(claimed[0]?.email.workspaceId).toBe(world().workspaceId);
    const { items } = await emails.list({ workspaceId: world().workspaceId }, { offset: 0, limit: 9 }, NOW);
    expect(items.map(({ status }) => status)).toEqual(["sending", "sending"]);
  });

  test("a claim leaves out what has no row, and ends with the others", async () => {
    const { emails, emailQueue } = world().storage;
    const [bad, good] = [newEmail(world()), newEmail(world())];
    await emails.insert([bad, good]);
    database.prepare("delete from posthorn_emails where uuid = ?").run(bad.id);
    const claimed = await claimAll(world().storage);
    expect(claimed.map(({ email }) => email.id)).toEqual([good.id]);
    await emailQueue.settle(
      claimed.map((one) => resultOf(one, "accepted", sent)),
      NOW,
    );
    expect(await emailQueue.claims()).toEqual([]);
    expect(await emailQueue.status(NOW)).toMatchObject({ due: 0, leased: 0 });
    // One of nothing else is none.
    const gone = newEmail(world());
    await emails.insert([gone]);
    database.prepare("delete from posthorn_emails where uuid = ?").run(gone.id);
    expect(await claimAll(world().storage)).toEqual([]);
    expect(await emailQueue.claims()).toEqual([]);
  });

  test("a report about an e-mail whose payload is damaged finds no list", async () => {
    const { emails, reports } = world().storage;
    const email = newEmail(world());
    await emails.insert([email]);
    const { row } = (await reports.findEmail({ id: email.id })) ?? { row: 0 };
    database.prepare(`update posthorn_email_payloads set payload = '{' where ${its}`).run(email.id);
    expect(await reports.findList(row)).toBeUndefined();
  });
});
