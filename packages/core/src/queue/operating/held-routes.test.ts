import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { workspaceRoute } from "../../mail/rules/routes.ts";
import type { MailMessage, MailResult } from "../../ports/mailer.ts";
import { acceptAll, answerAll, createWorld, type TestWorkspace, type World } from "../../testing/index.ts";

const minute = 60_000;
const hour = 60 * minute;

let world: World;
let blocked: TestWorkspace;
let other: TestWorkspace;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite(), {
    worker: { concurrency: 1 },
  });
  blocked = await world.addWorkspace();
  other = await world.addWorkspace();
});
afterEach(() => world.close());

const send = (workspace: TestWorkspace, subject: string) =>
  world.posthorn.emails.send({ subject, text: "x", to: ["ada@example.com"] }, { workspaceId: workspace.id });
const get = (workspace: TestWorkspace, emailId: string) =>
  world.posthorn.emails.get({ emailId }, { workspaceId: workspace.id });

const holdFor =
  (retryAfterMs: number) =>
  (message: MailMessage): MailResult => ({
    ...answerAll("deferred", 421, "later")(message),
    held: { cause: "limited", reason: "421 too many from shop.example", retryAfterMs },
  });

/** Makes the mailer leave mails with the subject "held" pending, and reports each. */
function holdSome(retryAfterMs: number): string[] {
  const shown: string[] = [];
  world.mailer.answerWith((message) => {
    shown.push(message.subject);
    return message.subject === "held" ? holdFor(retryAfterMs)(message) : acceptAll(message);
  });
  return shown;
}

const parkedRoutes = () => world.storage.emailQueue.parked(world.clock.now());

test("e-mails returned because this process stops hold no route: another process may send them at once", async () => {
  const asked = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  world.mailer.answerWith(async (message) => {
    asked.resolve();
    await stopped.promise;
    const held = { cause: "closed", reason: "the mailer is closed", retryAfterMs: 1_000 } as const;
    return { ...answerAll("deferred", 421, "later")(message), held };
  });
  const { id } = await send(blocked, "begun too late");
  world.posthorn.start();
  await asked.promise;
  const stopping = world.posthorn.stop();
  stopped.resolve();
  await stopping;
  expect(await parkedRoutes()).toEqual([]);
  expect(await get(blocked, id)).toMatchObject({ status: "queued", attempts: [] });
  world.mailer.answerWith(acceptAll);
  await world.posthorn.drain();
  expect((await get(blocked, id)).status).toBe("sent");
});

test("a server that accepts nothing holds the route, costs no attempt, and delays nobody else", async () => {
  const shown = holdSome(10 * minute);
  const held = [];
  for (let n = 0; n < 3; n += 1) held.push(await send(blocked, "held"));
  const free = await send(other, "free");
  world.posthorn.start();
  await world.mailer.inbox.waitFor({ subject: "free" });
  await vi.waitFor(
    async () => expect(await world.posthorn.queueStatus()).toMatchObject({ leased: 0 }),
    60_000,
  );
  await world.posthorn.stop();
  expect(shown.filter((subject) => subject === "held")).toHaveLength(1);
  expect((await get(other, free.id)).status).toBe("sent");
  for (const { id } of held)
    expect(await get(blocked, id)).toMatchObject({
      status: "queued",
      attempts: [],
      recipients: [{ state: "pending", attempts: 0, lastReply: "" }],
    });
  expect(await parkedRoutes()).toEqual([
    {
      route: workspaceRoute(blocked.id),
      owner: "server",
      parkedAt: world.clock.now(),
      until: world.clock.now() + 10 * minute,
      reason: "limited: 421 too many from shop.example",
    },
  ]);
  expect(world.posthorn.counters().emails).toEqual({ sent: 1, deferred: 0, failed: 0 });
});

test("a held route continues once its time is over, with its attempt number", async () => {
  holdSome(10 * minute);
  const { id } = await send(blocked, "held");
  await world.posthorn.drain();
  world.mailer.answerWith();
  world.clock.advance(10 * minute - 1);
  expect(await world.posthorn.drain()).toBe(0);
  world.clock.advance(1);
  expect(await world.posthorn.drain()).toBe(1);
  expect(await get(blocked, id)).toMatchObject({
    status: "sent",
    attempts: [{ number: 1, outcome: "sent" }],
  });
  expect(await parkedRoutes()).toEqual([]);
});

test("after a hold one e-mail tries the server, and the others follow only once it succeeds", async () => {
  await world.close();
  world = await createWorld(await openTestSqlite(), {
    worker: { concurrency: 8 },
  });
  blocked = await world.addWorkspace();
  const shown = holdSome(minute);
  for (let n = 0; n < 6; n += 1) await send(blocked, "held");
  await world.posthorn.drain();
  expect(shown.length).toBeGreaterThan(1);
  shown.length = 0;
  for (let round = 0; round < 3; round += 1) {
    world.clock.advance(minute);
    await world.posthorn.drain();
  }
  expect(shown).toHaveLength(3);
  world.mailer.answerWith(acceptAll);
  world.clock.advance(minute);
  expect(await world.posthorn.drain()).toBe(6);
  expect(await world.storage.emailQueue.look(world.clock.now(), 9)).toMatchObject({ due: [] });
  await send(blocked, "as before");
  await send(blocked, "as before");
  const { due } = await world.storage.emailQueue.look(world.clock.now(), 9);
  expect(due.map(({ isTrial }) => isTrial)).toEqual([undefined]);
});

test.each([
  ["before", 0],
  ["after", 1_000],
])("an e-mail that causes each hold itself lets others that came %s it go first", async (_, later) => {
  holdSome(minute);
  const cause = await send(blocked, "held");
  await send(blocked, "early");
  await world.posthorn.drain();
  const others = [];
  for (let round = 0; round < 4; round += 1) {
    world.clock.advance(later);
    others.push(await send(blocked, "free"));
    world.clock.advance(minute - later);
    await world.posthorn.drain();
  }
  const statuses = await Promise.all(others.map(async ({ id }) => (await get(blocked, id)).status));
  expect(statuses.slice(0, 3)).toEqual(["sent", "sent", "sent"]);
  expect(await get(blocked, cause.id)).toMatchObject({ status: "queued", attempts: [] });
  world.mailer.answerWith(acceptAll);
  world.clock.advance(minute);
  await world.posthorn.drain();
  expect((await get(blocked, cause.id)).status).toBe("sent");
});

test("the others follow at once after the one that tried the server, and not at the next poll", async () => {
  await world.close();
  world = await createWorld(await openTestSqlite(), {
    worker: { concurrency: 8, pollMs: 10 * minute },
  });
  blocked = await world.addWorkspace();
  holdSome(minute);
  for (let n = 0; n < 20; n += 1) await send(blocked, "held");
  await world.posthorn.drain();
  const answer = Promise.withResolvers<void>();
  let shown = 0;
  world.mailer.answerWith(async (message) => {
    shown += 1;
    await answer.promise;
    return acceptAll(message);
  });
  world.clock.advance(minute);
  world.posthorn.start();
  await expect.poll(() => shown).toBe(1);
  // What the loop knows of the queue is from before the server's answer.
  await expect.poll(() => world.posthorn.queueStatus()).toMatchObject({ leased: 1 });
  answer.resolve();
  await expect.poll(() => world.posthorn.counters().emails.sent).toBe(20);
});

test("e-mails that a server never accepted are given up after 48 hours and a few of attempts, with a reason for their sender", async () => {
  world.mailer.answerWith(holdFor(hour));
  const { id } = await send(blocked, "held");
  const start = world.clock.now();
  for (let rounds = 0; rounds < 60 && (await get(blocked, id)).status === "queued"; rounds += 1) {
    await world.posthorn.drain();
    world.clock.advance(hour);
  }
  const { status, recipients, attempts } = await get(blocked, id);
  expect([status, recipients[0]?.state]).toEqual(["failed", "failed"]);
  expect(attempts[0]).toMatchObject({ outcome: "deferred", reply: "later", startedAt: start + 49 * hour });
  expect(attempts.at(-1)).toMatchObject({ outcome: "failed", reply: "later" });
  const tried = (attempts.at(-1)?.endedAt ?? 0) - (attempts[0]?.startedAt ?? 0);
  expect(tried).toBeGreaterThanOrEqual(3 * hour);
  expect(tried).toBeLessThanOrEqual(4 * hour);
});
