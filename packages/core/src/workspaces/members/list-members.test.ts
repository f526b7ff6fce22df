import { expect, test } from "vitest";
import { openWorldForEach, workspace, world } from "../../../test/world-for-each.ts";

openWorldForEach();

test("a long list of members lets other work go on between its pieces", async () => {
  const now = world.clock.now();
  const userIds = await world.storage.transaction(async ({ users }) => {
    const made: number[] = [];
    for (let index = 0; index < 2_500; index += 1) {
      const user = {
        name: "Ann",
        passwordHash: undefined,
        emailVerifiedAt: now,
        isAdmin: false,
        createdAt: now,
      };
      made.push((await users.insert({ ...user, email: `ann${index}@example.com` })).id);
    }
    return made.reverse();
  });
  await world.storage.transaction(async ({ members }) => {
    for (const userId of userIds)
      await members.insert({ workspaceId: workspace.id, userId, role: "viewer", createdAt: now });
  });
  let turns = 0;
  let isRead = false;
  const next = () => {
    turns += 1;
    if (!isRead) setImmediate(next);
  };
  setImmediate(next);
  const { items, after } = await world.posthorn.members.list({}, workspace.asOwner);
  isRead = true;
  expect(turns).toBeGreaterThanOrEqual(2);
  expect(items.map(({ userId }) => userId)).toEqual([workspace.owner.userId, ...userIds]);
  expect(after).toBeUndefined();
});
