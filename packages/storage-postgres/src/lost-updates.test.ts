import { createWorld, type TestWorkspace, type World } from "@posthorn/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestPostgres } from "../test/open-test-storage.ts";

let world: World;
let workspace: TestWorkspace;
beforeEach(async () => {
  world = await createWorld(await openTestPostgres());
  workspace = await world.addWorkspace();
});
afterEach(() => world.close());

const rounds = Array.from({ length: 6 }, (_, round) => round);

test("of changes of different fields at the same moment, both last", async () => {
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

test("of two rotations at the same moment, the second keeps the secret of the first as the former one", async () => {
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

test("whoever is demoted while a call comes in may no longer", async () => {
  const { posthorn, addUser, storage } = world;
  const administrator = await addUser({ admin: true });
  await storage.users.update(administrator.userId, { isAdmin: false });
  await expect(posthorn.plans.create({ name: "late" }, { as: administrator })).rejects.toMatchObject({
    code: "administrator_required",
  });
});
