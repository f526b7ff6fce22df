import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { NOW, nextId, useSendingWorld } from "./sending-world.ts";

/** The contract of dedupe keys. */
export function describeDedupeKeys(open: () => Promise<Storage>): void {
  describe("dedupe keys", () => {
    const world = useSendingWorld(open);

    const request = (key: string, emailId: string, workspaceId = world().workspaceId) => ({
      workspaceId,
      key,
      emailId,
      createdAt: NOW,
    });

    test("the first takes a key for ever; the others get its e-mail", async () => {
      const { dedupeKeys } = world().storage;
      const [a, b, c] = [nextId(), nextId(), nextId()];
      const told = await dedupeKeys.reserve([request("k", a), request("k", b), request("l", c)]);
      expect(told).toEqual([undefined, a, undefined]);
      expect(await dedupeKeys.reserve([request("k", nextId())])).toEqual([a]);
      const other = await world().addWorkspace("Other");
      expect(await dedupeKeys.reserve([request("k", b, other)])).toEqual([undefined]);
      expect(await dedupeKeys.find(world().workspaceId, ["k", "m"])).toEqual([
        { workspaceId: world().workspaceId, key: "k", emailId: a },
      ]);
      expect([await dedupeKeys.reserve([]), await dedupeKeys.find(other, [])]).toEqual([[], []]);
    });

    test("a key is released by its own e-mail only", async () => {
      const { dedupeKeys } = world().storage;
      const [a, b] = [nextId(), nextId()];
      await dedupeKeys.reserve([request("k", a)]);
      await dedupeKeys.release([request("k", b)]);
      expect(await dedupeKeys.reserve([request("k", b)])).toEqual([a]);
      await dedupeKeys.release([request("k", a)]);
      expect(await dedupeKeys.reserve([request("k", b)])).toEqual([undefined]);
      await dedupeKeys.release([]);
    });

    test("of twenty at once, one gets it", async () => {
      const { storage } = world();
      const ids = Array.from({ length: 20 }, () => nextId());
      const told = await Promise.all(
        ids.map((id) => storage.transaction(({ dedupeKeys }) => dedupeKeys.reserve([request("k", id)]))),
      );
      const firsts = ids.filter((_, at) => told[at]?.[0] === undefined);
      expect(firsts).toHaveLength(1);
      expect(new Set(told.flat().filter((one) => one !== undefined))).toEqual(new Set(firsts));
    });
  });
}
