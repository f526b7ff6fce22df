import { expect, onTestFinished, test, vi } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld } from "../testing/index.ts";

test("a type is looked for within its category, which an index has, but for e-mails and types that are not known", async () => {
  const world = await createWorld(await openTestSqlite());
  onTestFinished(() => world.close());
  const { posthorn } = world;
  await posthorn.users.create({ name: "Ada", email: "ada@example.com", password: "correct horse battery" });
  const list = vi.spyOn(world.storage.events, "list");

  expect(await posthorn.events.list({ type: "user.created" })).toMatchObject({ total: 1 });
  expect(list.mock.lastCall?.[0]).toMatchObject({ type: "user.created", category: "audit" });
  expect(await posthorn.events.list({ type: "user.created", category: "system" })).toMatchObject({
    total: 0,
  });
  for (const type of ["email.failed", "user.unknown", "constructor"]) {
    expect(await posthorn.events.list({ type })).toMatchObject({ total: 0 });
    expect(list.mock.lastCall?.[0]).toMatchObject({ type, category: undefined });
  }
});
