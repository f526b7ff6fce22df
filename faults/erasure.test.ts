import { sideOf, tableNames } from "@posthorn/storage-sql";
import { expect, test } from "vitest";
import { onEngine, openFaultWorld } from "./open-fault-world.ts";

const mails = 1_500;
const kills = 3;
const ada = "ada.lovelace@people.example";

test.for(["SQLite", "PostgreSQL"])(
  "an erasure whose worker is killed continues and completes: %s",
  { timeout: 300_000 },
  async (engine, { task }) => {
    const world = await openFaultWorld(await onEngine(engine));
    const shop = world.posthorn.workspace(world.workspaceId);
    const recipients = Array.from({ length: mails }, () => ({ to: `Ada Lovelace <${ada}>` }));
    const says = { from: "shop@example.com", subject: "For Ada Lovelace", text: "Dear Ada Lovelace" };
    await shop.emails.sendBatch({ ...says, recipients, allowDuplicates: true });
    const first = await world.work();
    await expect.poll(() => world.copies.size, { timeout: 120_000, interval: 50 }).toBe(mails);
    await world.settled();
    first.child.kill("SIGTERM");
    await first.ended;

    const { db } = sideOf(world.storage);
    /** Returns the position of the erasure; `undefined` if it has ended. */
    const place = async () => {
      const row = await db.selectFrom("erasures").select(["stage", "cursor_position"]).executeTakeFirst();
      return row && `${row.stage} ${row.cursor_position}`;
    };
    await shop.recipients.erase({ email: ada });
    const places: string[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const before = await place();
      const worker = await world.work();
      await expect.poll(place, { timeout: 60_000, interval: 2 }).not.toBe(before);
      worker.child.kill("SIGKILL");
      await worker.ended;
      places.push((await place()) ?? "ended");
    }
    const last = await world.work();
    await expect.poll(place, { timeout: 60_000, interval: 20 }).toBeUndefined();
    last.child.kill("SIGTERM");
    await last.ended;

    // Each was interrupted in the middle, and none started over.
    expect(new Set(places).size).toBe(kills);
    expect(places).not.toContain("ended");
    const naming: string[] = [];
    for (const table of tableNames()) {
      const rows = await db.selectFrom(table).selectAll().execute();
      if (JSON.stringify(rows).toLowerCase().includes("lovelace")) naming.push(table);
    }
    expect(naming).toEqual([]);
    expect((await shop.emails.list({ size: 1 })).total).toBe(mails);
    expect(
      (await db.selectFrom("events").selectAll().where("type", "=", "recipient.erased").execute()).length,
    ).toBe(1);
    task.meta.figures = `${mails} mails, killed at ${places.join(", ")}`;
  },
);
