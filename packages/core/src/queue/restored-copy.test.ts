import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backupSqlite, createSqliteStorage } from "@posthorn/storage-sqlite";
import { expect, onTestFinished, test } from "vitest";
import type { EventType } from "../events.ts";
import { claimAll } from "../testing/contract/claims.ts";
import { createFixedClock, createWorld } from "../testing/index.ts";
import { acceptAll } from "../testing/memory-mailer.ts";

const hour = 3_600_000;

/**
 * Opens a service on a copy of a database with waiting mail. `before` runs on the original just before it is copied.
 */
async function openCopy(before: (original: Awaited<ReturnType<typeof createWorld>>) => Promise<unknown>) {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-restored-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [source, copy] = [join(folder, "a.db"), join(folder, "b.db")];
  const original = await createWorld(await createSqliteStorage({ filename: source }));
  const workspace = await original.addWorkspace();
  const at = (n: number) => new Date(original.clock.now() + n * hour).toISOString();
  const send = (scheduledAt?: string) =>
    original.posthorn.emails.send(
      { subject: "Hi", text: "Hello", to: ["ada@example.com"], ...(scheduledAt && { scheduledAt }) },
      { workspaceId: workspace.id },
    );
  const ids = [(await send()).id, (await send(at(1))).id, (await send(at(5))).id];
  await before(original);
  await backupSqlite(source, copy);
  const began = original.clock.now();
  await original.close();
  const [warnings, notices]: [string[], string[]] = [[], []];
  const logger = {
    debug() {},
    info: (_: object, text: string) => void notices.push(text),
    warn: (_: object, text: string) => void warnings.push(text),
    error() {},
  };
  const clock = createFixedClock(began + 2 * hour);
  const world = await createWorld(await createSqliteStorage({ filename: copy }), { clock, logger });
  onTestFinished(() => world.close());
  const admin = { as: await world.addUser({ admin: true, email: "admin@example.com" }) };
  const statuses = async () =>
    Promise.all(
      ids.map(
        async (emailId) =>
          (await world.posthorn.emails.get({ emailId }, { ...admin, workspaceId: "all" })).status,
      ),
    );
  return { world, admin, warnings, notices, statuses, began, ids };
}

test("a process on a restored copy delivers nothing, reports how many are due, and delivers after a decision", async () => {
  const { world, admin, warnings, statuses } = await openCopy(async () => {});
  expect(await world.posthorn.drain()).toBe(0);
  expect(warnings).toEqual([expect.stringMatching(/is a restored copy.*: 2 are due/)]);
  const status = await world.posthorn.queue.status({}, admin);
  expect(status).toMatchObject({
    due: 2,
    paused: { reason: expect.stringContaining("restored from a copy") },
  });
  expect(status.restoredCopy?.copiedAt).toBeGreaterThan(0);
  expect(await world.posthorn.queue.resume({}, admin)).toEqual({ changed: true, dropped: 0 });
  await world.posthorn.drain();
  expect(await statuses()).toEqual(["sent", "sent", "scheduled"]);
  expect(warnings).toHaveLength(1);
  expect((await world.posthorn.queue.status({}, admin)).restoredCopy).toBeUndefined();
});

test("a restored copy in which nothing waits is no warning, unless a campaign goes on in it", async () => {
  const drained = async ({ posthorn, clock }: Awaited<ReturnType<typeof createWorld>>) => {
    clock.advance(6 * hour);
    await posthorn.drain();
  };
  const quiet = await openCopy(drained);
  expect(await quiet.world.posthorn.drain()).toBe(0);
  expect(quiet.warnings).toEqual([]);
  expect(quiet.notices).toContainEqual(expect.stringMatching(/restored copy in which no e-mail waits/));

  const going = await openCopy(async (original) => {
    await drained(original);
    const { id } = await original.addWorkspace({ name: "Other" });
    const shop = original.posthorn.workspace(id);
    const { id: campaignId } = await shop.campaigns.create({ name: "Spring", subject: "Hi", text: "x" });
    await shop.campaigns.addRecipients({ campaignId, recipients: [{ to: "ada@example.com" }] });
    await shop.campaigns.start({ campaignId });
  });
  expect(await going.world.posthorn.drain()).toBe(0);
  expect(going.warnings).toEqual([expect.stringMatching(/is a restored copy.*: 0 are due/)]);
});

test("e-mails due before the original stopped are cancelled and recorded, including those being sent", async () => {
  const { world, admin, statuses, began } = await openCopy(async ({ storage, clock }) => {
    expect(await claimAll(storage, { now: clock.now() })).toHaveLength(1);
  });
  const dropDueBefore = new Date(began + hour / 2).toISOString();
  expect(await world.posthorn.queue.resume({ dropDueBefore }, admin)).toEqual({ changed: true, dropped: 1 });
  await world.posthorn.drain();
  expect(await statuses()).toEqual(["cancelled", "sent", "scheduled"]);
  const eventsOf = async (type: EventType) => {
    const { items } = await world.storage.events.list({ workspaceId: "all", type }, { offset: 0, limit: 9 });
    return items;
  };
  expect((await eventsOf("email.cancelled")).map(({ actorName }) => actorName)).toEqual([admin.as.name]);
  const resumed = await eventsOf("queue.resumed");
  expect(resumed.map(({ metadata }) => JSON.parse(metadata))).toEqual([{ route: "*", dropped: 1 }]);
});

test("where the queue was paused by hand, e-mails on their way are not dropped", async () => {
  const { world, admin, statuses, began } = await openCopy(async () => {});
  await world.posthorn.queue.resume({}, admin);
  const begun = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  world.mailer.answerWith(async (message) => {
    begun.resolve();
    await answer.promise;
    return acceptAll(message);
  });
  const drained = world.posthorn.drain();
  await begun.promise;
  await world.posthorn.queue.pause({}, admin);
  const dropDueBefore = new Date(began + 2 * hour).toISOString();
  expect(await world.posthorn.queue.resume({ dropDueBefore }, admin)).toEqual({ changed: true, dropped: 0 });
  answer.resolve();
  await drained;
  expect(await statuses()).toEqual(["sent", "sent", "scheduled"]);
});

test("only held e-mails can be dropped, and only of all routes", async () => {
  const { world, admin } = await openCopy(async () => {});
  const dropDueBefore = "2030-01-31T08:00:00Z";
  await expect(world.posthorn.queue.resume({ dropDueBefore, route: "w:1" }, admin)).rejects.toMatchObject({
    code: "validation_failed",
  });
  await world.posthorn.queue.resume({}, admin);
  await expect(world.posthorn.queue.resume({ dropDueBefore }, admin)).rejects.toMatchObject({
    code: "validation_failed",
  });
});

test("a database restored by other means can be held manually", async () => {
  const { world, admin } = await openCopy(async () => {});
  await world.posthorn.queue.resume({}, admin);
  const { id } = await world.addWorkspace({ name: "Other" });
  expect(await world.posthorn.queue.checkRestored({}, admin)).toMatchObject({ due: 2, waiting: 1 });
  expect(await world.posthorn.queue.checkRestored({}, admin)).toMatchObject({ due: 2, waiting: 1 });
  expect(await world.posthorn.drain()).toBe(0);
  expect(await world.posthorn.queue.resume({}, admin)).toMatchObject({ changed: true });
  // The workspace restored last had perhaps not been the last.
  expect((await world.addWorkspace({ name: "Third" })).id).toBe(id + 1_001);
});

test("what comes back for mail that the original sent after the copy was made concerns no e-mail of the copy", async () => {
  const { world, ids } = await openCopy(async () => {});
  const rowOf = async (id = "") => (await world.storage.reports.findEmail({ id }))?.row ?? 0;
  const { id: workspaceId } = await world.addWorkspace({ name: "Other" });
  const mail = { subject: "Hi", text: "Hello", to: ["bob@example.com"] };
  const { id } = await world.posthorn.emails.send(mail, { workspaceId });
  // Tokens of such mail have the rows behind the last one.
  expect(await rowOf(id)).toBe((await rowOf(ids.at(-1))) + 1_000_000_001);
});
