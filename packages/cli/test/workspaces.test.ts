import { expect, test } from "vitest";
import { addShop, openCommandWorld } from "./command-world.ts";
import { openVerbWorld } from "./verb-world.ts";

test("the operator creates a workspace for an owner, and names it by id or by a unique name", async () => {
  const world = await openCommandWorld();
  await addShop(world);
  const [made, ownerless] = await Promise.all([
    world.json("workspaces", "create", "Books", "--owner", "ada@example.com"),
    world.run("workspaces", "create", "Books", "--owner", "bob@example.com"),
  ]);
  expect(made).toMatchObject({ id: 2, name: "Books" });
  expect(ownerless.code).toBe(3);
  const { items } = await world.posthorn.events.list({ type: "workspace.created", size: 1 });
  expect(items[0]).toMatchObject({ workspaceId: 2, actorId: undefined });

  const second = await world.run("workspaces", "create", "Shop", "--owner", "ada@example.com");
  expect(second).toMatchObject({ code: 0 });
  expect(JSON.parse(second.stdout)).toMatchObject({ id: 3, name: "Shop" });
  expect(second.stderr).toContain("Another workspace has the same name (1)");
  expect(ownerless.stderr).not.toContain("of this name");
  const [ambiguous, byId, listed, missing] = await Promise.all([
    world.run("workspaces", "show", "Shop"),
    world.json("workspaces", "show", "3"),
    world.json<{ id: number }[]>("workspaces", "--query", "book"),
    world.run("workspaces", "show", "Nowhere"),
  ]);
  expect(ambiguous.code).toBe(2);
  expect(ambiguous.stderr).toContain('2 workspaces are named "Shop": 3, 1.');
  expect(byId).toMatchObject({ id: 3, name: "Shop" });
  expect(listed.map(({ id }) => id)).toEqual([2]);
  expect(missing.code).toBe(3);
});

test("gives members roles and removes them, but not the owner", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const bob = await world.posthorn.users.create({
    name: "Bob",
    email: "bob@example.com",
    password: "correct horse battery",
  });
  await world.posthorn.storage.members.insert({
    workspaceId: workspace.id,
    userId: bob.id,
    role: "viewer",
    createdAt: Date.now(),
  });
  const of = ["--workspace", "Shop"];
  const [promoted, crowned, dethroned, unsure] = await Promise.all([
    world.json("members", "set-role", "bob@example.com", "editor", ...of),
    world.run("members", "set-role", "bob@example.com", "owner", ...of),
    world.run("members", "set-role", "ada@example.com", "viewer", ...of),
    world.run("members", "remove", "bob@example.com", ...of),
  ]);
  const alone = await world.run("members", "list");
  expect(promoted).toEqual({ message: "Bob now has the role editor." });
  expect([crowned.code, dethroned.code, unsure.code]).toEqual([4, 4, 2]);
  // The only workspace need not be named.
  expect(JSON.parse(alone.stdout)).toMatchObject([{ role: "owner" }, { user_id: bob.id, role: "editor" }]);

  expect((await world.run("members", "remove", "ada@example.com", ...of, "--yes")).code).toBe(4);
  expect((await world.run("members", "remove", "bob@example.com", ...of, "--yes")).code).toBe(0);
  expect(await world.json("members", ...of)).toMatchObject([{ email: "ada@example.com", role: "owner" }]);
});

test("an API key is shown once, works, is limited by the plan, and is refused once revoked", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const plan = await world.posthorn.plans.create({ name: "One", maxApiKeys: 1 });
  await world.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id });
  const of = ["--workspace", "Shop"];
  const made = await world.json<{ key: string; prefix: string }>(
    "api-keys",
    "create",
    "server",
    ...of,
    "--expires-in-days",
    "0",
    "--json",
  );
  expect(made).toMatchObject({ name: "server", expires_at: null });
  expect(await world.posthorn.authenticateApiKey(made.key)).toMatchObject({ workspaceId: workspace.id });

  const [listed, second, unsure] = await Promise.all([
    world.run("api-keys", ...of),
    world.run("api-keys", "create", "second", ...of),
    world.run("api-keys", "revoke", made.prefix, ...of),
  ]);
  expect(listed.stdout).toContain(made.prefix);
  expect(listed.stdout).not.toContain(made.key);
  expect([second.code, unsure.code]).toEqual([6, 2]);
  expect((await world.run("api-keys", "revoke", made.prefix, ...of, "--yes")).code).toBe(0);
  expect(await world.posthorn.authenticateApiKey(made.key)).toBeUndefined();

  const { stdout: file } = await world.run("api-keys", "create", "third", ...of);
  expect(file).toMatch(/^sk_[0-9A-Za-z]{40}\n$/);
  expect(await world.posthorn.authenticateApiKey(file.trim())).toMatchObject({ workspaceId: workspace.id });
});

test("a command that is suggested with a name can be typed unchanged", async () => {
  const { run } = await openVerbWorld();
  await expect(run("workspaces", "create", "Ada's Shop")).rejects.toMatchObject({
    hint: String.raw`An example: posthorn workspaces create 'Ada'\''s Shop' --owner ada@example.com`,
  });
});

test("a workspace that does not exist is named, with what to try, however it was named", async () => {
  const { run } = await openVerbWorld();
  for (const [named, message] of [
    ["999", "There is no workspace 999."],
    ["a".repeat(300), `There is no workspace named "${"a".repeat(300)}".`],
  ] as const)
    await expect(run("templates", "list", "--workspace", named)).rejects.toMatchObject({
      ...{ failure: "not_found", message, hint: "Try: posthorn workspaces list" },
    });
});
