import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld } from "../testing/index.ts";

test("domains added at once get their keys in turn, and a name that is taken, or beyond the plan, gets none", async () => {
  let made = 0;
  let underWay = 0;
  let most = 0;
  const world = await createWorld(await openTestSqlite(), {
    async createKeyPair() {
      made += 1;
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay -= 1;
      return { privateKey: "private", publicKey: "public" };
    },
  });
  onTestFinished(() => world.close());
  const { posthorn } = world;
  const { id, asOwner } = await world.addWorkspace();
  const add = (name: string) => posthorn.domains.create({ name }, asOwner);
  await Promise.all(["a.example", "b.example", "c.example"].map(add));
  expect(made).toBe(12);
  expect(most).toBe(4);
  await expect(add("a.example")).rejects.toMatchObject({ code: "domain_taken" });
  const plan = await posthorn.plans.create({ name: "Small", maxDomains: 3 });
  await posthorn.plans.assignToWorkspace({ workspaceId: id, planId: plan.id });
  await expect(add("d.example")).rejects.toMatchObject({ code: "plan_limit_reached" });
  expect(made).toBe(12);
});
