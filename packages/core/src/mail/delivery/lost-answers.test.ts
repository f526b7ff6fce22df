import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { silentLogger } from "../../ports/logger.ts";
import { type Claim, type ClaimedEmail, Unconfirmed } from "../../ports/storage.ts";
import { createWorld } from "../../testing/index.ts";
import { createUnanswered } from "./create-unanswered.ts";

test("a claim is not answered in vain while it, or another, is still under way", async () => {
  const answers = createUnanswered("w");
  const claim = (id: number, worker = "w"): Claim => ({ id, worker, until: 9, leaseMs: 9 });
  const claimed = (claimId: number) => [{ lease: { claimId, row: 1 } } as ClaimedEmail];
  const { promise, resolve } = Promise.withResolvers<ClaimedEmail[]>();
  const slow = answers.watch(promise);
  await expect(answers.watch(Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  const find = async (...claims: Claim[]) => [...(await answers.find(Promise.resolve(claims))).unanswered];
  expect(await find(claim(1), claim(2))).toEqual([]);
  resolve(claimed(2));
  await slow;
  expect(await find(claim(1), claim(2), claim(3, "another"))).toEqual([1]);
  // Nothing is remembered of one that is gone, nor forgotten of one that was answered since the claims were read.
  const { promise: read, resolve: answer } = Promise.withResolvers<Claim[]>();
  const finding = answers.find(read);
  await answers.watch(Promise.resolve(claimed(4)));
  answer([]);
  expect([...(await finding).unanswered]).toEqual([]);
  expect(await find(claim(2), claim(4))).toEqual([2]);
});

test("e-mails of a claim whose answer was lost are delivered within seconds, and count as untried until then", async () => {
  const storage = await openTestSqlite();
  const lost: ClaimedEmail[] = [];
  let isLost = true;
  const emailQueue: typeof storage.emailQueue = {
    ...storage.emailQueue,
    async claim(order) {
      const claimed = await storage.emailQueue.claim(order);
      if (!isLost) return claimed;
      isLost = false;
      lost.push(...claimed);
      throw new Unconfirmed("the connection was lost");
    },
  };
  const world = await createWorld({ ...storage, emailQueue }, { logger: silentLogger });
  onTestFinished(() => world.close());
  const shop = world.posthorn.workspace((await world.addWorkspace()).id);
  const { id: emailId } = await shop.emails.send({ subject: "Hi", text: "x", to: ["ada@example.com"] });
  await expect(world.posthorn.drain()).rejects.toThrow("the connection was lost");
  expect(lost).toHaveLength(1);
  // Another process knows nothing of that, and leaves it to its owner.
  const other = await createWorld(storage, { clock: world.clock });
  expect(await other.posthorn.drain()).toBe(0);
  world.clock.advance(5_000);
  expect(await other.posthorn.drain()).toBe(0);
  expect(await world.posthorn.drain()).toBe(1);
  const attempts = (await storage.emails.attempts(emailId)).map(({ number, outcome }) => [number, outcome]);
  expect(attempts).toEqual([[1, "sent"]]);
});
