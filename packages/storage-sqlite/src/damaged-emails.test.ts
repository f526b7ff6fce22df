import Sqlite, { type Database } from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { NOW, newEmail, useSendingWorld } from "../../core/src/testing/contract/sending-world.ts";
import { createSqliteStorage } from "./create-sqlite-storage.ts";

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
      "update posthorn_emails set payload = substr(payload, 1, 20) where uuid = ?",
    ],
    [
      "JSON of another kind",
      "update posthorn_emails set payload = '7', tags = '{', to_addresses = 'x' where uuid = ?",
    ],
    [
      "an unknown state",
      "update posthorn_email_recipients set state = '?' where email_id = (select id from posthorn_emails where uuid = ?)",
    ],
    [
      "no recipients",
      "delete from posthorn_email_recipients where email_id = (select id from posthorn_emails where uuid = ?)",
    ],
  ])("%s marks that e-mail and leaves the others alone", async (_, damage) => {
    const { emails } = world().storage;
    const [bad, good] = [newEmail(world()), newEmail(world())];
    await emails.insert([bad, good]);
    database.prepare(damage).run(bad.id);
    const claim = { limit: 9, now: NOW, leaseMs: 1, worker: "w", exclude: [] };
    const claimed = await emails.claimDue(claim);
    expect(claimed.map(({ email, damaged }) => [email.id, damaged])).toEqual([
      [bad.id, true],
      [good.id, false],
    ]);
    expect(claimed[0]?.email.workspaceId).toBe(world().workspaceId);
    const { items } = await emails.list({ workspaceId: world().workspaceId }, { offset: 0, limit: 9 }, NOW);
    expect(items.map(({ status }) => status)).toEqual(["sending", "sending"]);
  });
});
