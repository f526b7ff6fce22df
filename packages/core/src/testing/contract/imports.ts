import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { NOW, useSendingWorld } from "./sending-world.ts";

/** The contract of imports under way. */
export function describeImports(open: () => Promise<Storage>): void {
  describe("imports", () => {
    const world = useSendingWorld(open);

    test("what an import stored is counted until it is taken, once, with the event of its first piece", async () => {
      const { workspaceId, storage } = world();
      const { imports } = storage;
      const add = (name: string, count: number, at: number) =>
        imports.add({ name, workspaceId, event: `about ${name} at ${at - NOW}`, count, at });
      await add("a", 3, NOW);
      await add("b", 1, NOW + 1);
      await add("a", 4, NOW + 2);
      await add("b", 1, NOW + 3);
      await add("c", 9, NOW + 4);
      expect(await imports.take("a")).toBe(7);
      expect(await imports.take("a")).toBe(0);
      expect(await imports.takeBefore(NOW + 3, 9)).toEqual([]);
      expect(await imports.takeBefore(NOW + 9, 1)).toEqual([{ event: "about b at 1", count: 2 }]);
      expect(await imports.takeBefore(NOW + 9, 9)).toEqual([{ event: "about c at 4", count: 9 }]);
    });

    test("deleting a workspace deletes its imports", async () => {
      const { workspaceId, storage } = world();
      await storage.imports.add({ name: "a", workspaceId, event: "{}", count: 1, at: NOW });
      await storage.workspaces.delete(workspaceId);
      expect(await storage.imports.take("a")).toBe(0);
    });
  });
}
