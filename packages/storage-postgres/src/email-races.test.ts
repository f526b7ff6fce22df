import type { ClaimedEmail, Repositories } from "@posthorn/core/storage";
import { answerAll } from "@posthorn/core/testing";
import { expect, test } from "vitest";
import { contradictionsIn } from "../test/mail-rows.ts";
import { openLockingWorld } from "../test/open-locking-world.ts";

const [ada, bob] = ["ada@example.com", "bob@example.com"];
const hour = 3_600_000;

/** Opens a world with an e-mail to Ada and Bob that waits, or that its server refused. */
async function openScene({ refused = false } = {}) {
  const locking = await openLockingWorld();
  const { storage, world } = locking;
  const { id: workspaceId } = await world.addWorkspace();
  const scheduledAt = refused ? {} : { scheduledAt: new Date(world.clock.now() + hour).toISOString() };
  if (refused) world.mailer.answerWith(answerAll("refused", 550, "550 5.7.1 not now"));
  const { id } = await world.posthorn.emails.send(
    { subject: "Hi", text: "Hello", to: [ada, bob], ...scheduledAt },
    { workspaceId },
  );
  await world.posthorn.drain();
  const person = { workspaceId, address: ada, addressKey: ada, erasedAs: "erased-0123abcd@invalid" };
  const [found] = await storage.recipients.emailsTo(person, 0, 9);
  if (found === undefined) throw new Error("there is no e-mail");
  const now = world.clock.now() + 2 * hour;
  const states = async () => {
    const email = await storage.emails.find(workspaceId, id, now);
    return [email?.status, ...(await storage.emails.recipients(id)).map(({ state }) => state)];
  };
  const counts = async () => {
    const page = { offset: 0, limit: 1 };
    const failed = await storage.emails.list({ workspaceId, status: "failed" }, page, now);
    return [(await storage.emails.list({ workspaceId }, page, now)).total, failed.total];
  };
  return { ...locking, workspaceId, id, person, found, now, states, counts };
}

async function claimAll({ emailQueue }: Repositories, { now }: { now: number }): Promise<ClaimedEmail[]> {
  const { due } = await emailQueue.look(now, 9);
  const wants = due.map(({ route, lane, dueAt }) => ({ route, lane, since: dueAt, limit: 9 }));
  return emailQueue.claim({ wants, now, leaseMs: hour, worker: "w", maxBytes: 1e6 });
}

type Scene = Awaited<ReturnType<typeof openScene>>;
type Change = (within: Repositories, scene: Scene) => Promise<unknown>;
const cancel: Change = ({ emails }, { workspaceId, id, now }) => emails.cancel(workspaceId, id, now);
const withdraw: Change = ({ recipients }, { found, now }) => recipients.withdraw(found, now);
const retry: Change = ({ emails }, { workspaceId, id, now }) => emails.retry(workspaceId, id, now);
const remove: Change = ({ emails }, { workspaceId, now }) => emails.deleteBefore(workspaceId, now, 9);
const empty: Change = ({ emails }, { workspaceId, now }) => emails.forgetContents(workspaceId, now, 9);

/** Makes the second change while the transaction of the first is open; returns both results. */
async function race(scene: Scene, first: Change, second: Change): Promise<unknown[]> {
  const { storage, untilWaiting } = scene;
  let late: Promise<unknown> | undefined;
  const result = await storage.transaction(async (tx) => {
    const done = await first(tx, scene);
    late ??= second(storage, scene);
    await untilWaiting(late);
    return done;
  });
  return [result, await late];
}

test.each([
  ["cancelling", cancel, "not_waiting"],
  ["an erasure", withdraw, "in_hand"],
])("%s waits for a worker that is just claiming the e-mail, and leaves it", async (_, end, result) => {
  const scene = await openScene();
  const [claimed, late] = await race(scene, claimAll, end);
  expect(claimed).toHaveLength(1);
  expect(late).toBe(result);
  expect(await scene.states()).toEqual(["sending", "pending", "pending"]);
});

test.each([
  ["cancelled", cancel],
  ["left by an erased recipient", withdraw],
])("an e-mail that is just being %s is not claimed, and is cancelled once", async (_, end) => {
  const scene = await openScene();
  const ended: Change = async (within, given) => {
    const result = await end(within, given);
    expect(await claimAll(scene.storage, scene)).toEqual([]);
    return result;
  };
  const [first, late] = await race(scene, ended, cancel);
  expect([first, late]).toEqual(end === cancel ? ["cancelled", "not_waiting"] : ["waiting", "cancelled"]);
  expect(await scene.states()).toEqual(["cancelled", "cancelled", "cancelled"]);
});

test.each([
  ["retention leaves an e-mail that is just being tried again", retry, remove, [{ bounces: 2 }, 0], [1, 0]],
  ["nobody tries an e-mail again that retention is removing", remove, retry, [1, undefined], [0, 0]],
  [
    "retention leaves the content of one that is just being tried again",
    retry,
    empty,
    [{ bounces: 2 }, 0],
    [1, 0],
  ],
  ["nobody tries one again whose content retention is removing", empty, retry, [1, undefined], [1, 1]],
])("%s", async (_, first, second, results, counts) => {
  const scene = await openScene({ refused: true });
  const told = (await race(scene, first, second)).map((one) => (one as { removed?: number })?.removed ?? one);
  expect(told).toEqual(results);
  expect(await scene.counts()).toEqual(counts);
  for (const table of ["email_queue", "email_payloads"])
    expect(await scene.finds(`select 1 from "${scene.schema}".${table}`)).toBe(first === retry);
});

test.each([
  ["tried again", true, retry],
  ["cancelled", false, cancel],
])(
  "a workspace's deletion removes an e-mail that is just being %s, from all counts",
  async (_, refused, change) => {
    const scene = await openScene({ refused });
    const [, emptied] = await race(scene, change, ({ workspaces }) => workspaces.empty(scene.workspaceId, 9));
    expect(emptied).toMatchObject({ removed: 1 });
    expect(await scene.counts()).toEqual([0, 0]);
    expect(await contradictionsIn(scene.storage)).toEqual([]);
  },
);

test("an erasure leaves an e-mail that is just being tried again, and then withdraws the person from it", async () => {
  const scene = await openScene({ refused: true });
  expect(await race(scene, retry, withdraw)).toEqual([{ bounces: 2 }, "in_hand"]);
  expect(await withdraw(scene.storage, scene)).toBe("waiting");
});

test("of an e-mail from which a person is just being erased, only the others' mail is tried again", async () => {
  const scene = await openScene({ refused: true });
  const erase: Change = async (within, { person, found }) => {
    expect(await withdraw(within, scene)).toBe("settled");
    await within.recipients.eraseEmails(person, [found]);
  };
  expect(await race(scene, erase, retry)).toEqual([undefined, { bounces: 1 }]);
  expect(await scene.states()).toEqual(["queued", "failed", "pending"]);
});

test("a person whom a campaign is just queueing stays on its list, without a name", async () => {
  const { storage, world, untilWaiting } = await openLockingWorld();
  const { id: workspaceId } = await world.addWorkspace();
  const shop = world.posthorn.workspace(workspaceId);
  const content = { name: "Spring", subject: "Hi", text: "Hello", unsubscribe: false as const };
  const { id } = await shop.campaigns.create({ ...content, recipients: [{ to: ada }] });
  await shop.campaigns.start({ campaignId: id });
  const person = { workspaceId, address: ada, addressKey: ada, erasedAs: "erased-0123abcd@invalid" };
  let erasing: Promise<number> | undefined;
  await storage.transaction(async ({ campaigns }) => {
    const taken = await campaigns.take("w", world.clock.now(), hour);
    const marks = [{ position: 1, state: "queued", reason: "", emailId: undefined }] as const;
    const progress = { cursor: 1, nextSlotAt: 1, marks: [...marks] };
    expect(await campaigns.advance(id, taken?.fence ?? 0, progress)).toBe(true);
    erasing ??= storage.recipients.eraseFromCampaigns(person);
    await untilWaiting(erasing);
  });
  expect(await erasing).toBe(1);
  expect((await shop.campaigns.get({ campaignId: id })).recipients).toBe(1);
  expect((await shop.campaigns.listRecipients({ campaignId: id })).items).toMatchObject([
    { email: person.erasedAs },
  ]);
});
