import { afterEach, beforeEach } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import type { UserCaller } from "../src/calls/caller.ts";
import { createWorld, type World } from "../src/testing/index.ts";

/** The user whom tests of accounts create, log in and delete. */
export const email = "ada@example.com";
export const password = "the engine weaves algebra";
/** Another password. */
export const other = "another engine, other algebra";

export let world: World;

/** Opens a world without a user before each test of a file, and closes it after. */
export function openUserWorldForEach(): void {
  beforeEach(async () => {
    world = await createWorld(await openTestSqlite());
  });
  afterEach(() => world.close());
}

export const create = (fields: object = {}) =>
  world.posthorn.users.create({ name: "Ada", email, password, ...fields });

export async function login(given = password): Promise<{ token: string; as: UserCaller }> {
  const { token } = await world.posthorn.accounts.login({ email, password: given });
  const as = await world.posthorn.authenticateUser(token);
  if (as === undefined) throw new Error("the token is refused");
  return { token, as };
}

export const works = async (token: string): Promise<boolean> =>
  (await world.posthorn.authenticateUser(token)) !== undefined;

export async function eventsOf(userId: number): Promise<{ type: string; message: string }[]> {
  const { items } = await world.storage.events.list(
    { workspaceId: "all", userId },
    { offset: 0, limit: 100 },
  );
  return items.map(({ type, message }) => ({ type, message }));
}
