import { createWorld, type TestWorkspace, type World } from "@posthorn/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestPostgres, runOnce, testPostgresUrl } from "../test/open-test-storage.ts";

let world: World;
let workspace: TestWorkspace;
/** Number of transactions begun, including retries. */
let begun: number;
beforeEach(async () => {
  const storage = await openTestPostgres();
  begun = 0;
  world = await createWorld({
    ...storage,
    transaction: (work) =>
      storage.transaction((repositories) => {
        begun += 1;
        return work(repositories);
      }),
  });
  workspace = await world.addWorkspace();
});
afterEach(() => world.close());

/** Number of transactions that wait for others. */
const waiting = async () => {
  const locks = "select count(*)::int as number from pg_stat_activity where wait_event_type = 'Lock'";
  return (await runOnce(await testPostgresUrl(), locks))[0]?.["number"];
};

const rounds = Array.from({ length: 6 }, (_, round) => round);

test("concurrent changes of different fields both last", async () => {
  const { posthorn } = world;
  const as = workspace.asOwner;
  const hook = await posthorn.webhooks.create({ url: "https://hooks.example/0", events: ["*"] }, as);
  const template = await posthorn.templates.create({ name: "t", subject: "s", text: "t" }, as);
  const plan = await posthorn.plans.create({ name: "p" });
  const [webhookId, templateId, planId] = [hook.id, template.id, plan.id];
  for (const round of rounds) {
    const isActive = round % 2 === 0;
    const [url, name] = [`https://hooks.example/${round}`, `round ${round}`];
    await Promise.all([
      posthorn.webhooks.update({ webhookId, url }, as),
      posthorn.webhooks.update({ webhookId, isActive }, as),
      posthorn.templates.update({ templateId, name }, as),
      posthorn.templates.update({ templateId, description: name }, as),
      posthorn.plans.update({ planId, name }),
      posthorn.plans.update({ planId, isActive }),
    ]);
    expect((await posthorn.webhooks.list({}, as)).items).toMatchObject([{ url, isActive }]);
    expect(await posthorn.templates.get({ templateId }, as)).toMatchObject({ name, description: name });
    expect(await posthorn.plans.get({ planId })).toMatchObject({ name, isActive });
  }
});

test("of two concurrent rotations, the second keeps the secret of the first as the former one", async () => {
  const { posthorn, storage } = world;
  const { id: webhookId } = await posthorn.webhooks.create(
    { url: "https://hooks.example/", events: ["*"] },
    workspace.asOwner,
  );
  for (const _ of rounds) {
    const before = await storage.webhooks.find(workspace.id, webhookId);
    await Promise.all([1, 2].map(() => posthorn.webhooks.rotateSecret({ webhookId }, workspace.asOwner)));
    const after = await storage.webhooks.find(workspace.id, webhookId);
    expect(after?.formerSecret).not.toBe(before?.secret);
  }
});

test("a domain and a campaign are locked as the change under way leaves them", async () => {
  const { posthorn, storage } = world;
  const { id: domainId } = await posthorn.domains.create({ name: "shop.example" }, workspace.asOwner);
  const content = { name: "Spring", subject: "Hi", text: "Hello", unsubscribe: false as const };
  const { id: campaignId } = await posthorn.campaigns.create(content, workspace.asOwner);
  const { late } = await storage.transaction(async ({ domains, campaigns }) => {
    await domains.update(workspace.id, domainId, { tls: "required" });
    await campaigns.update(campaignId, { name: "Summer" }, 1);
    const both = Promise.all([
      storage.domains.lock(workspace.id, domainId),
      storage.campaigns.lock(workspace.id, campaignId),
    ]);
    await Promise.race([both, expect.poll(waiting).toBe(2)]);
    return { late: both };
  });
  expect(await late).toMatchObject([{ tls: "required" }, { name: "Summer" }]);
});

test("a user demoted during a call is refused", async () => {
  const { posthorn, addUser, storage } = world;
  const administrator = await addUser({ admin: true });
  await storage.users.update(administrator.userId, { isAdmin: false });
  await expect(posthorn.plans.create({ name: "late" }, { as: administrator })).rejects.toMatchObject({
    code: "administrator_required",
  });
});

test("a member demoted by a change that commits first is refused", async () => {
  const { posthorn, addUser, storage } = world;
  const member = await addUser();
  const ids = { workspaceId: workspace.id, userId: member.userId };
  await storage.members.insert({ ...ids, role: "admin", createdAt: 1 });
  const { late } = await storage.transaction(async ({ members }) => {
    await members.setRole(workspace.id, member.userId, "viewer");
    const creating = posthorn.templates.create(
      { name: "late", subject: "s", text: "t" },
      { workspaceId: workspace.id, as: member },
    );
    const ended = creating.then(
      () => "done",
      (error: { code: string }) => error.code,
    );
    await Promise.race([ended, expect.poll(waiting).toBe(1)]);
    return { late: ended };
  });
  expect(await late).toBe("forbidden");
});

test("an editor who allows an address again does not delete the complaint that came meanwhile", async () => {
  const { posthorn, storage, clock } = world;
  const editor = workspace.as(await workspace.addMember("editor"));
  const email = "ada@example.com";
  await posthorn.suppressions.create({ email }, editor);
  const name = { scope: "*", addressKey: email };
  const standing = await storage.suppressions.find(workspace.id, name, clock.now());
  if (standing === undefined) throw new TypeError("nothing is suppressed");
  const { end } = await storage.transaction(async ({ suppressions }) => {
    await suppressions.put([{ ...standing, origin: "complaint" }], clock.now());
    const deleting = posthorn.suppressions.delete({ email }, editor).then(
      () => "done",
      (error: { code: string }) => error.code,
    );
    await Promise.race([deleting, expect.poll(waiting).toBe(1)]);
    return { end: deleting };
  });
  expect(await end).toBe("suppression_protected");
  expect(await posthorn.suppressions.get({ email }, editor)).toMatchObject({ origin: "complaint" });
});

test("of administrators who demote each other one succeeds, and neither waits for the other's locks", async () => {
  const { posthorn, addUser, storage } = world;
  const [first, second] = [await addUser({ admin: true }), await addUser({ admin: true })];
  const before = begun;
  const demotions = await storage.transaction(async (tx) => {
    await tx.users.lock(first.userId);
    const both = Promise.allSettled([
      posthorn.users.demote({ userId: second.userId }, { as: first }),
      posthorn.users.demote({ userId: first.userId }, { as: second }),
    ]);
    await expect.poll(waiting).toBe(2);
    return { both };
  });
  const ends = await demotions.both;
  expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(ends).toContainEqual({
    status: "rejected",
    reason: expect.objectContaining({ code: "administrator_required" }),
  });
  expect(begun - before).toBe(3);
});

test("of two who pause the queue at once, one changes something, and one event tells of it", async () => {
  const { posthorn } = world;
  const people = [await world.addUser({ admin: true }), await world.addUser({ admin: true })];
  for (const round of rounds) {
    const route = `w:${round}`;
    const paused = await Promise.all(people.map((as) => posthorn.queue.pause({ route }, { as })));
    expect(paused.filter(({ changed }) => changed)).toHaveLength(1);
  }
  await Promise.all(people.map((as) => posthorn.queue.checkRestored({}, { as })));
  const { items } = await posthorn.events.list({ type: "queue.paused", size: 100 });
  expect(items).toHaveLength(rounds.length + 1);
});
