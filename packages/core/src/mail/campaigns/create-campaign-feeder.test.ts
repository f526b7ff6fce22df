import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { type Storage, StorageUnavailable } from "../../ports/storage.ts";
import { createWorld, type World } from "../../testing/world.ts";

let world: World;
/** Error that the next transaction throws. */
let fault: Error | undefined;
beforeEach(async () => {
  fault = undefined;
  const storage = await openTestSqlite();
  const transaction: Storage["transaction"] = (work) => {
    const failed = fault;
    fault = undefined;
    return failed === undefined ? storage.transaction(work) : Promise.reject(failed);
  };
  world = await createWorld({ ...storage, transaction });
});
afterEach(() => world.close());

/** Starts a campaign whose first transaction fails; returns the number of delivered e-mails. */
async function failOnce(error: Error): Promise<() => Promise<number>> {
  const { campaigns } = world.posthorn.workspace((await world.addWorkspace()).id);
  const recipients = [1, 2, 3].map((n) => ({ to: `person${n}@example.com` }));
  const { id: campaignId } = await campaigns.create({ name: "Spring", subject: "x", text: "x", recipients });
  await campaigns.start({ campaignId });
  fault = error;
  return async () => {
    await world.posthorn.drain();
    return (await campaigns.get({ campaignId })).counts.sent;
  };
}

test("after a busy moment of the storage, a campaign continues within a second", async () => {
  const sent = await failOnce(new StorageUnavailable("another process holds the database"));
  expect(await sent()).toBe(0);
  world.clock.advance(1_000);
  expect(await sent()).toBe(3);
});

test("a failing campaign is retried after a while, and others continue", async () => {
  const sent = await failOnce(new TypeError("a fault of its own"));
  expect(await sent()).toBe(0);
  world.clock.advance(28_000);
  expect(await sent()).toBe(0);
  world.clock.advance(2_000);
  expect(await sent()).toBe(3);
});
