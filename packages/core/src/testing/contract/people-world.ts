import { afterEach, beforeEach } from "vitest";
import type { Storage, User, Workspace } from "../../ports/storage.ts";
import { NOW } from "./sending-world.ts";

/** A storage, empty at first, for tests about users and their workspaces. */
export interface PeopleWorld {
  storage: Storage;
  addUser(email: string, over?: Partial<Pick<User, "name" | "isAdmin">>): Promise<User>;
  /** Adds a workspace with its owner. */
  addWorkspace(name: string, ownerId: number): Promise<Workspace>;
}

/** Runs the given number of calls concurrently; returns the result of each. */
export const race = <T>(racer: (index: number) => Promise<T>, racers = 50): Promise<T[]> =>
  Promise.all(Array.from({ length: racers }, (_, index) => racer(index)));

/** Counts the calls that succeeded. */
export const winners = (outcomes: boolean[]): number => outcomes.filter(Boolean).length;

/** Opens a storage before each test and closes it after. Use the world only inside tests. */
export function usePeopleWorld(open: () => Promise<Storage>): () => PeopleWorld {
  let world: PeopleWorld | undefined;
  beforeEach(async () => {
    const storage = await open();
    world = {
      storage,
      addUser: (email, over = {}) =>
        storage.users.insert({
          name: "Ann",
          email,
          passwordHash: "hash",
          emailVerifiedAt: undefined,
          isAdmin: false,
          isVouchedFor: true,
          createdAt: NOW,
          ...over,
        }),
      async addWorkspace(name, ownerId) {
        const workspace = await storage.workspaces.insert({ name, isTrusted: true, createdAt: NOW });
        await storage.members.insert({
          workspaceId: workspace.id,
          userId: ownerId,
          role: "owner",
          createdAt: NOW,
        });
        return workspace;
      },
    };
  });
  afterEach(async () => {
    await world?.storage.close();
    world = undefined;
  });
  return () => {
    if (world === undefined) throw new Error("There is no world outside a test");
    return world;
  };
}
