import { AsyncLocalStorage } from "node:async_hooks";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createPosthorn } from "../index.ts";
import { createMemoryMailer, createWorld } from "../testing/index.ts";
import { jobs } from "./jobs.ts";

test("a drain reports its progress, counts as a worker, and ends after the items under way", async () => {
  const storage = await openTestSqlite();
  const mailer = createMemoryMailer();
  const posthorn = createPosthorn({
    storage,
    mailer,
    secretKey: "a key that only this test ever uses, 4711",
    defaultSender: "Shop <hello@shop.example>",
    worker: { concurrency: 2 },
  });
  onTestFinished(async () => {
    await posthorn.close();
    await storage.close();
  });
  await posthorn.migrate();
  const password = "a long and odd passphrase";
  const { id: userId } = await posthorn.users.create({ name: "Ada", email: "ada@shop.example", password });
  const { id: workspaceId } = await posthorn.workspaces.createFor({ name: "Shop", userId });
  for (const name of ["a", "b", "c", "d", "e"])
    await posthorn.emails.send({ subject: name, text: "x", to: [`${name}@shop.example`] }, { workspaceId });

  const ending = new AbortController();
  const told: number[] = [];
  let workers: unknown[] = [];
  const { listWorkers } = storage.operations;
  const { beat } = storage.operations;
  storage.operations.beat = async (...sign) => {
    await beat(...sign);
    workers = await listWorkers(0);
  };
  const total = await posthorn.drain({
    signal: ending.signal,
    onHandled(count) {
      told.push(count);
      ending.abort();
    },
  });
  expect(told).toEqual([total]);
  expect(mailer.inbox.all()).toHaveLength(total);
  expect(total).toBeLessThan(5);
  expect(workers).toHaveLength(1);
  expect(await listWorkers(0)).toEqual([]);
  expect(total + (await posthorn.drain())).toBe(5);
});

test("a started worker delivers in the context of its start, not in that of the request that wakes it", async () => {
  const world = await createWorld(await openTestSqlite());
  onTestFinished(() => world.close());
  const { posthorn, mailer } = world;
  const { id: workspaceId } = await world.addWorkspace();
  const context = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const { send } = mailer;
  mailer.send = (...message) => {
    seen.push(context.getStore());
    return send(...message);
  };
  context.run("start", () => posthorn.start());
  for (const request of ["first", "second"]) {
    await context.run(request, () =>
      posthorn.emails.send({ to: ["ada@shop.example"], subject: request, text: "x" }, { workspaceId }),
    );
    await mailer.inbox.waitFor({ subject: request });
  }
  expect(seen).toEqual(["start", "start"]);
});

test("a drain waits for what the started worker has in progress, and for what that makes due, until its signal aborts", async () => {
  const world = await createWorld(await openTestSqlite());
  onTestFinished(() => world.close());
  const { posthorn, mailer, http } = world;
  const { id: workspaceId } = await world.addWorkspace();
  await posthorn.webhooks.create({ url: "https://shop.example/", events: ["email.sent"] }, { workspaceId });
  const inHand = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const { send } = mailer;
  mailer.send = async (...message) => {
    inHand.resolve();
    await answered.promise;
    return await send(...message);
  };
  posthorn.start();
  await posthorn.emails.send(
    { to: ["ada@shop.example"], from: "s@shop.example", subject: "x", text: "x" },
    { workspaceId },
  );
  await inHand.promise;
  expect(await posthorn.drain({ signal: AbortSignal.timeout(1) })).toBe(0);
  let isOver = false;
  const draining = posthorn.drain().finally(() => {
    isOver = true;
  });
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
  expect(isOver).toBe(false);
  answered.resolve();
  await draining;
  expect(mailer.inbox.all()).toHaveLength(1);
  expect(http.posts).toHaveLength(1);
});

/** A world whose mailer has a first e-mail in hand, which it keeps until `answer`. */
async function openBusyWorld() {
  const world = await createWorld(await openTestSqlite());
  onTestFinished(() => world.close());
  const { posthorn, mailer } = world;
  const { id: workspaceId } = await world.addWorkspace();
  const inHand = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const { send } = mailer;
  mailer.send = async (...message) => {
    inHand.resolve();
    await answered.promise;
    return await send(...message);
  };
  const accept = (subject: string) =>
    posthorn.emails.send({ to: ["ada@shop.example"], subject, text: "x" }, { workspaceId });
  posthorn.start();
  await accept("first");
  await inHand.promise;
  return { ...world, accept, answer: answered.resolve };
}

test("a stop ends what was started again while an earlier stop was under way", async () => {
  const { posthorn, mailer, accept, answer } = await openBusyWorld();
  const stopping = posthorn.stop();
  await new Promise(setImmediate);
  posthorn.start();
  const stopped = posthorn.stop();
  answer();
  await Promise.all([stopping, stopped]);
  await accept("second");
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(mailer.inbox.all().map(({ subject }) => subject)).toEqual(["first"]);
});

test("a start in the same turn as a stop outlasts it", async () => {
  const { posthorn, mailer, accept, answer } = await openBusyWorld();
  const stopping = posthorn.stop();
  posthorn.start();
  answer();
  await stopping;
  await accept("second");
  expect(await mailer.inbox.waitFor({ subject: "second" })).toMatchObject({ text: "x" });
  await posthorn.stop();
});

test("a worker that is started while it stops stays in the list of workers, until its next stop", async () => {
  const { posthorn, storage, answer } = await openBusyWorld();
  await expect.poll(() => storage.operations.listWorkers(0)).toHaveLength(1);
  const stopping = posthorn.stop();
  await new Promise(setImmediate);
  posthorn.start();
  await new Promise(setImmediate);
  answer();
  await stopping;
  expect(await storage.operations.listWorkers(0)).toHaveLength(1);
  await posthorn.stop();
  expect(await storage.operations.listWorkers(0)).toEqual([]);
});

test("a stop counts what may arrive twice: e-mails and webhook deliveries, not checks of domains or erasures", async () => {
  const begun = Promise.withResolvers<void>();
  const left = {
    ...{ start: begun.resolve, wake() {}, runOnce: async () => 0, untilIdle: async () => false },
    stop: async () => 1,
  };
  for (const job of jobs.deliveries) {
    const create = vi.spyOn(job, "create").mockReturnValue(left);
    onTestFinished(() => create.mockRestore());
  }
  const world = await createWorld(await openTestSqlite());
  onTestFinished(() => world.close());
  world.posthorn.start();
  await begun.promise;
  expect(await world.posthorn.stop()).toBe(2);
});
