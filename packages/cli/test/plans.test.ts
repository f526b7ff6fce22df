import { expect, test } from "vitest";
import { addShop, openCommandWorld } from "./command-world.ts";

test("creates, compares and changes plans, named by id or name", async () => {
  const world = await openCommandWorld();
  const free = await world.json(
    "plans",
    "create",
    "Free",
    "--hourly-rate-limit",
    "10",
    "--max-api-keys",
    "2",
    "--default",
  );
  expect(free).toMatchObject({
    id: 1,
    is_default: true,
    hourly_rate_limit: 10,
    max_api_keys: 2,
    daily_rate_limit: 0,
  });
  await world.posthorn.plans.create({ name: "Pro", hourlyRateLimit: 1000 });

  const [taken, negative, compared, missing, listed] = await Promise.all([
    world.run("plans", "create", "Free"),
    world.run("plans", "create", "Odd", "--daily-rate-limit", "-1"),
    world.json<{ name: string }[]>("plans", "compare", "Pro", "1"),
    world.run("plans", "show", "Gold"),
    world.json<{ name: string }[]>("plans"),
  ]);
  expect([taken.code, negative.code, missing.code]).toEqual([5, 2, 3]);
  expect(compared.map(({ name }) => name)).toEqual(["Pro", "Free"]);
  expect(listed.map(({ name }) => name)).toEqual(["Free", "Pro"]);

  const [updated, nothing] = await Promise.all([
    world.json("plans", "update", "Pro", "--name", "Team", "--daily-rate-limit", "5000"),
    world.run("plans", "update", "1"),
  ]);
  expect(updated).toMatchObject({ id: 2, name: "Team", hourly_rate_limit: 1000, daily_rate_limit: 5000 });
  expect(nothing.code).toBe(2);
  expect(await world.json("plans", "set-default", "Team")).toMatchObject({ id: 2, is_default: true });
});

test("assigns plans to workspaces and users, and lists who has them", async () => {
  const world = await openCommandWorld();
  const { owner, workspace } = await addShop(world);
  const pro = await world.posthorn.plans.create({ name: "Pro" });
  const [inWorkspace, ofUser, neither] = await Promise.all([
    world.json("plans", "assign", "Pro", "--workspace", "Shop"),
    world.json("plans", "assign", "Pro", "--user", owner.email),
    world.run("plans", "assign", "Pro"),
  ]);
  expect(inWorkspace).toMatchObject({ workspace_id: workspace.id, plan_id: pro.id, plan: { name: "Pro" } });
  expect(ofUser).toMatchObject({ user_id: owner.id, plan_id: pro.id });
  expect(neither.code).toBe(2);

  const who = ["plans", "who", "Pro"];
  const [all, second] = await Promise.all([
    world.json(...who),
    world.json<unknown[]>(...who, "--size", "1", "--page", "1"),
  ]);
  const user = { kind: "user", id: owner.id, name: "Ada", email: "ada@example.com" };
  expect(all).toEqual([{ kind: "workspace", id: workspace.id, name: "Shop", email: null }, user]);
  expect(second).toEqual([user]);

  expect((await world.run("plans", "unassign", "--workspace", "Shop")).code).toBe(2);
  await world.json("plans", "unassign", "--workspace", "Shop", "--yes");
  expect(await world.json(...who)).toEqual([user]);
});

test("deletes a plan in use only by force and after confirmation; the default plan never", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const trial = await world.posthorn.plans.create({ name: "Trial" });
  const base = await world.posthorn.plans.create({ name: "Base", isDefault: true });
  await world.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: trial.id });

  const [refused, unsure, fallback] = await Promise.all([
    world.run("plans", "delete", "Trial", "--yes", "--json"),
    world.run("plans", "delete", "Trial", "--force"),
    world.run("plans", "delete", "Base", "--force", "--yes"),
  ]);
  expect(refused.code).toBe(5);
  expect(JSON.parse(refused.stderr).error).toMatchObject({
    code: "plan_in_use",
    message: '"Trial" is assigned to 1.',
    hint: expect.stringContaining("--force"),
  });
  expect(unsure.code).toBe(2);
  expect(fallback.code).toBe(5);
  expect((await world.posthorn.plans.list({})).total).toBe(2);

  expect((await world.run("plans", "delete", "Trial", "--force", "--yes")).code).toBe(0);
  const now = await world.posthorn.plans.getForWorkspace({ workspaceId: workspace.id });
  expect(now).toMatchObject({ planId: base.id, source: "default" });
});
