import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { StorageUnavailable } from "../../ports/storage.ts";
import { createMemoryMailer, createWorld } from "../../testing/index.ts";

/** Opens a world with a workspace, in which each call of the storage's queue can be made to fail. */
async function open() {
  const storage = await openTestSqlite();
  const state: { down: "claims" | "renew" | "transaction" | undefined; failed(): void; isLocked: boolean } = {
    down: undefined,
    failed: () => {},
    isLocked: false,
  };
  const check = (what: typeof state.down): void => {
    if (state.down !== what) return;
    state.failed();
    throw new StorageUnavailable("away", { isLocked: state.isLocked });
  };
  const { claims, renew } = storage.emailQueue;
  const emailQueue: typeof storage.emailQueue = {
    ...storage.emailQueue,
    async claims() {
      check("claims");
      return claims();
    },
    async renew(...args) {
      check("renew");
      return renew(...args);
    },
  };
  const transaction: typeof storage.transaction = async (work, holder) => {
    check("transaction");
    return storage.transaction(work, holder);
  };
  const mailer = createMemoryMailer();
  let sending = async (): Promise<void> => {};
  const slow: typeof mailer = {
    ...mailer,
    async send(...args) {
      await sending();
      return mailer.send(...args);
    },
  };
  const world = await createWorld(
    { ...storage, emailQueue, transaction },
    { worker: { pollMs: 1_000, leaseMs: 6_000 }, mailer: slow, logger: { ...silent } },
  );
  onTestFinished(() => world.close());
  const shop = world.posthorn.workspace((await world.addWorkspace()).id);
  const send = () => shop.emails.send({ subject: "Hi", text: "x", to: ["ada@example.com"] });
  /** Sends an e-mail that another worker claims, which then dies. */
  async function loseOne(leaseMs: number): Promise<void> {
    await send();
    const now = world.clock.now();
    const { due } = await storage.emailQueue.look(now, 9);
    const wants = due.map(({ route, lane, dueAt }) => ({ route, lane, since: dueAt, limit: 9 }));
    await storage.emailQueue.claim({ wants, now, leaseMs, worker: "other", maxBytes: 1e9 });
  }
  /** Expects that the e-mail is left to its owner until five seconds from now. */
  async function expectLeft(): Promise<void> {
    world.clock.advance(4_999);
    expect(await world.posthorn.drain()).toBe(0);
    world.clock.advance(1_000);
    expect(await world.posthorn.drain()).toBe(1);
  }
  return { world, state, send, loseOne, expectLeft, onSend: (does: typeof sending) => (sending = does) };
}
const silent = { debug() {}, info() {}, warn() {}, error() {} };

test("a worker that the storage has just failed leaves others' expired claims for five seconds", async () => {
  const { world, state, loseOne, expectLeft } = await open();
  await loseOne(30_000);
  world.clock.advance(30_000);
  state.down = "claims";
  await expect(world.posthorn.drain()).rejects.toThrow("away");
  state.down = undefined;
  await expectLeft();
});

test("so does one whose results the storage did not take", async () => {
  const { world, state, send, loseOne, expectLeft, onSend } = await open();
  world.clock.advance(10_000);
  await loseOne(2_000);
  await send();
  onSend(async () => {
    state.down = "transaction";
  });
  state.failed = () => {
    state.down = undefined;
  };
  expect(await world.posthorn.drain()).toBe(1);
  onSend(async () => {});
  await expectLeft();
});

test("so does one whose leases the storage did not renew", async () => {
  const { world, state, send, loseOne, expectLeft, onSend } = await open();
  world.clock.advance(10_000);
  await loseOne(2_000);
  await send();
  onSend(
    () =>
      new Promise((resolve) => {
        state.down = "renew";
        state.failed = () => {
          state.down = undefined;
          resolve();
        };
      }),
  );
  expect(await world.posthorn.drain()).toBe(1);
  onSend(async () => {});
  await expectLeft();
});

test.each([
  [
    "a worker whose own results alone others' locks are in the way of takes expired claims back at once",
    0,
    1,
  ],
  ["one that others' locks have long kept from writing anything leaves them for now", 3_000, 0],
])("%s", async (_, sinceMs, taken) => {
  const { world, state, send, loseOne, onSend } = await open();
  world.clock.advance(10_000);
  await send();
  expect(await world.posthorn.drain()).toBe(1);
  await loseOne(2_000);
  await send();
  state.isLocked = true;
  state.failed = () => {
    state.down = undefined;
  };
  onSend(async () => {
    onSend(async () => {});
    world.clock.advance(Math.max(2_000, sinceMs));
    state.down = "transaction";
  });
  expect(await world.posthorn.drain()).toBe(1 + taken);
});
