import { sideOf } from "@posthorn/storage-sql";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openLockingWorld } from "../test/open-locking-world.ts";

test("claims are renewed in the order in which results are settled, wherever their rows are, and not taken back meanwhile", async () => {
  const { world, storage, schema, openHost, untilWaiting, finds } = await openLockingWorld();
  const { id: workspaceId } = await world.addWorkspace();
  const { emailQueue } = storage;
  const now = world.clock.now() + 1_000;
  const ids: number[] = [];
  for (const worker of ["one", "two"]) {
    await world.posthorn.emails.send(
      { subject: "Hi", text: "Hello", to: ["ada@example.com"] },
      { workspaceId },
    );
    const { due } = await emailQueue.look(now, 9);
    const wants = due.map(({ route, lane, dueAt }) => ({ route, lane, since: dueAt, limit: 9 }));
    await emailQueue.claim({ wants, now, leaseMs: 1, worker, maxBytes: 1e6 });
  }
  for (const { id } of await emailQueue.claims()) ids.push(id);
  const [first = 0, second = 0] = ids;
  // A renewal moves the row behind the others.
  await emailQueue.renew([first], now, now + 1);
  await sql`analyze ${sql.table(`${schema}.claims`)}`.execute(sideOf(storage).db);
  const host = await openHost();
  await host.query(`select 1 from "${schema}".claims where id = ${first} for update`);
  const renewal = emailQueue.renew([first, second], now, now + 2);
  await untilWaiting(renewal);
  // Had the renewal locked it already, a settlement that has the first would wait for the second, and it for the first.
  expect(await finds(`select 1 from "${schema}".claims where id = ${second} for update skip locked`)).toBe(
    true,
  );
  await host.query("commit");
  expect((await renewal).sort((a, b) => a - b)).toEqual([first, second]);

  // A claim that is just being renewed is nobody's to take back: its worker goes on, and would send what the next has, too.
  const worker = await openHost();
  await storage.within(worker).emailQueue.renew([first], now + 1, now + 60_000);
  const reclaiming = emailQueue.reclaim([{ id: first, until: now + 2 }], now + 3);
  await untilWaiting(reclaiming);
  await worker.query("commit");
  expect(await reclaiming).toBe(0);
  expect((await emailQueue.look(now + 3, 9)).due).toEqual([]);
});
