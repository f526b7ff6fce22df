import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { DAY, NOW, nextId, useSendingWorld } from "./sending-world.ts";

/** The contract of `IdempotencyKeys`: one request does the work, the others get its response. */
export function describeIdempotencyKeys(open: () => Promise<Storage>): void {
  describe("idempotency keys", () => {
    const world = useSendingWorld(open);
    const request = (key: string, answer: string, createdAt = NOW) => ({
      apiKeyId: world().apiKeyId,
      key,
      bodyDigest: `digest of ${answer}`,
      answer,
      createdAt,
    });
    const kept = (answer: string) => ({ bodyDigest: `digest of ${answer}`, answer });

    test("the first request stores its answer, the next get it", async () => {
      const { idempotencyKeys, apiKeys } = world().storage;
      expect(await idempotencyKeys.reserve([request("a", "1")], NOW - DAY)).toEqual([undefined]);
      expect(await idempotencyKeys.reserve([request("a", "2")], NOW - DAY)).toEqual([kept("1")]);
      expect(await idempotencyKeys.find(world().apiKeyId, "a", NOW - DAY)).toEqual(kept("1"));
      expect(await idempotencyKeys.find(world().apiKeyId, "b", NOW - DAY)).toBeUndefined();
      const other = await apiKeys.insert({
        id: nextId(),
        workspaceId: world().workspaceId,
        name: "Other",
        prefix: "sk_other",
        createdBy: undefined,
        createdAt: NOW,
        expiresAt: undefined,
        digest: "other",
      });
      expect(await idempotencyKeys.find(other.id, "a", NOW - DAY)).toBeUndefined();
      expect(
        await idempotencyKeys.reserve([{ ...request("a", "3"), apiKeyId: other.id }], NOW - DAY),
      ).toEqual([undefined]);
    });

    test("a holder may be another caller than an API key", async () => {
      const { idempotencyKeys } = world().storage;
      const ofHost = { ...request("a", "1"), apiKeyId: "workspace:1" };
      expect(await idempotencyKeys.reserve([ofHost], NOW - DAY)).toEqual([undefined]);
      expect(await idempotencyKeys.find("workspace:1", "a", NOW - DAY)).toEqual(kept("1"));
    });

    test("requests of one call are processed in order", async () => {
      const { idempotencyKeys } = world().storage;
      await idempotencyKeys.reserve([request("c", "0")], NOW - DAY);
      const outcomes = await idempotencyKeys.reserve(
        [request("b", "1"), request("a", "2"), request("b", "3"), request("c", "4"), request("a", "5")],
        NOW - DAY,
      );
      expect(outcomes).toEqual([undefined, undefined, kept("1"), kept("0"), kept("2")]);
    });

    test("an expired answer is replaced", async () => {
      const { idempotencyKeys } = world().storage;
      await idempotencyKeys.reserve([request("a", "1", NOW - DAY)], NOW - 2 * DAY);
      expect(await idempotencyKeys.find(world().apiKeyId, "a", NOW - DAY)).toBeUndefined();
      const outcomes = await idempotencyKeys.reserve([request("a", "2"), request("a", "3")], NOW - DAY);
      expect(outcomes).toEqual([undefined, kept("2")]);
    });

    test("of concurrent requests, one does the work", async () => {
      const { storage } = world();
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          storage.transaction((tx) =>
            tx.idempotencyKeys.reserve([request("a", `${index}`), request("b", `${index}`)], NOW - DAY),
          ),
        ),
      );
      expect(outcomes.filter(([first]) => first === undefined)).toHaveLength(1);
      const first = outcomes.findIndex(([outcome]) => outcome === undefined);
      expect(await storage.idempotencyKeys.find(world().apiKeyId, "a", NOW - DAY)).toEqual(kept(`${first}`));
    });

    test("an answer can be amended, and no other changes", async () => {
      const { idempotencyKeys } = world().storage;
      const ofAnother = { ...request("a", "3"), apiKeyId: "workspace:1" };
      await idempotencyKeys.reserve([request("a", "1"), request("b", "2"), ofAnother], NOW - DAY);
      await idempotencyKeys.answer([{ apiKeyId: world().apiKeyId, key: "a", answer: "better" }]);
      const amended = await idempotencyKeys.find(world().apiKeyId, "a", NOW - DAY);
      expect(amended?.answer).toBe("better");
      expect(await idempotencyKeys.find(world().apiKeyId, "b", NOW - DAY)).toEqual(kept("2"));
      expect(await idempotencyKeys.find("workspace:1", "a", NOW - DAY)).toEqual(kept("3"));
    });

    test("a released key is free again", async () => {
      const { idempotencyKeys } = world().storage;
      await idempotencyKeys.reserve([request("a", "1"), request("b", "1")], NOW - DAY);
      await idempotencyKeys.reserve([{ ...request("a", "3"), apiKeyId: "workspace:1" }], NOW - DAY);
      await idempotencyKeys.release([{ apiKeyId: world().apiKeyId, key: "a" }]);
      expect(await idempotencyKeys.find("workspace:1", "a", NOW - DAY)).toEqual(kept("3"));
      expect(await idempotencyKeys.reserve([request("a", "2"), request("b", "2")], NOW - DAY)).toEqual([
        undefined,
        kept("1"),
      ]);
    });

    test("old ones are removed, a bounded number at a time", async () => {
      const { idempotencyKeys } = world().storage;
      const old = ["a", "b", "c"].map((key) => request(key, "1", NOW - DAY));
      await idempotencyKeys.reserve([...old, request("d", "1")], 0);
      expect(await idempotencyKeys.deleteBefore(NOW, 2)).toBe(2);
      expect(await idempotencyKeys.deleteBefore(NOW, 2)).toBe(1);
      expect(await idempotencyKeys.find(world().apiKeyId, "d", 0)).toEqual(kept("1"));
    });
  });
}
