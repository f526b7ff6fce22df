import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createRuntime } from "../service/create-runtime.ts";
import {
  createWorld,
  type TestCallOptions,
  type TestWorkspace,
  type World,
  worldSecretKey,
} from "../testing/world.ts";
import { tellAbandonedImports } from "./tell-abandoned-imports.ts";

let world: World;
let shop: TestWorkspace;
/** Whether the process has died: nothing reaches the storage any more. */
let isGone: boolean;
beforeEach(async () => {
  isGone = false;
  const storage = await openTestSqlite();
  world = await createWorld({
    ...storage,
    transaction: (work, holder) =>
      isGone ? Promise.reject(new Error("gone")) : storage.transaction(work, holder),
  });
  shop = await world.addWorkspace();
});
afterEach(() => world.close());

interface Parts {
  importId?: string;
  more?: boolean;
}
type Content = Uint8Array | AsyncIterable<Uint8Array>;

/** Both imports of lists of addresses, and how their events tell what they stored. */
const kinds = {
  suppressions: {
    type: "suppression.imported",
    begin: async () => ({
      put: (content: Content, parts: Parts = {}, as: TestCallOptions = shop.asOwner) =>
        world.posthorn.suppressions.import({ content, ...parts }, as),
      told: (count: number) => ({ count }),
    }),
  },
  "a campaign's recipients": {
    type: "campaign.updated",
    async begin() {
      const fields = { name: "Spring", subject: "Hi", text: "x" };
      const { id: campaignId } = await world.posthorn.campaigns.create(fields, shop.asOwner);
      return {
        put: (content: Content, parts: Parts = {}, as: TestCallOptions = shop.asOwner) =>
          world.posthorn.campaigns.importRecipients({ campaignId, content, ...parts }, as),
        told: (added: number) => ({ campaign_id: campaignId, name: "Spring", added, changes: {} }),
      };
    },
  },
};

describe.each(Object.entries(kinds))("an import of %s", (_, { type, begin }) => {
  const people = (count: number, name = "u"): Buffer =>
    Buffer.from(`email\n${Array.from({ length: count }, (_, n) => `${name}${n}@example.com\n`).join("")}`);
  const nothing = new Uint8Array();
  const events = async () =>
    (await world.storage.events.list({ type, workspaceId: shop.id }, { offset: 0, limit: 100 })).items.map(
      ({ metadata, actorId }) => [JSON.parse(metadata), actorId] as const,
    );
  const sums = async () => (await events()).map(([metadata]) => metadata);
  /** A thousand people, and then a fault. */
  async function* cutOff(): AsyncGenerator<Uint8Array> {
    yield people(1_010);
    throw new Error("the connection was lost");
  }

  test("goes by the role that the host's own login gives, as other calls do", async () => {
    const { put, told } = await begin();
    const guest = await world.addUser();
    const withRole = (role: "editor" | "viewer") =>
      shop.as({ ...guest, host: { workspaceId: shop.id, role } });
    await put(people(3), {}, withRole("editor"));
    await expect(put(people(3, "v"), {}, withRole("viewer"))).rejects.toMatchObject({ code: "forbidden" });
    await expect(put(people(3, "v"), {}, shop.as(guest))).rejects.toMatchObject({ code: "not_a_member" });
    expect(await events()).toEqual([[told(3), guest.userId]]);
  });

  test("has one event with the sum of all pieces", async () => {
    const { put, told } = await begin();
    await put(people(2_500));
    await put(people(2_500));
    expect(await events()).toEqual([[told(2_500), shop.owner.userId]]);
    await put(people(1_000, "v"));
    expect(await sums()).toEqual([told(1_000), told(2_500)]);
  });

  test("has one event about what it stored if it is cut off", async () => {
    const { put, told } = await begin();
    await expect(put(cutOff())).rejects.toThrow("lost");
    expect(await sums()).toEqual([told(1_010)]);
  });

  test("has its event an hour later if its process dies, once", async () => {
    const { put, told } = await begin();
    async function* content(): AsyncGenerator<Uint8Array> {
      yield people(1_010);
      isGone = true;
    }
    await expect(put(content())).rejects.toThrow("gone");
    isGone = false;
    const { storage, mailer, clock } = world;
    const runtime = createRuntime({ storage, mailer, clock, secretKey: worldSecretKey }, { tell: () => {} });
    expect([await tellAbandonedImports(runtime), await sums()]).toEqual([0, []]);
    clock.advance(3_600_001);
    expect(await tellAbandonedImports(runtime)).toBe(1);
    expect(await tellAbandonedImports(runtime)).toBe(0);
    expect(await events()).toEqual([[told(1_000), shop.owner.userId]]);
  });

  test("that comes in several calls has one event, written by the last, which may be empty", async () => {
    const { put, told } = await begin();
    const parts = { importId: "a-1", more: true };
    await put(people(1_500), parts);
    await put(people(10, "v"), parts);
    await put(people(10, "v"), parts);
    expect(await sums()).toEqual([]);
    await put(nothing, { importId: "a-1" });
    await put(nothing, { importId: "a-1" });
    expect(await sums()).toEqual([told(1_510)]);
    await put(people(1, "w"), parts);
    await put(people(1, "x"), { importId: "a-1" });
    expect(await sums()).toEqual([told(2), told(1_510)]);
  });

  test("shares its event with no other at the same time, and no other caller's of the same id", async () => {
    const { put, told } = await begin();
    const editor = await shop.addMember("editor");
    const calls = [
      ["a", shop.asOwner],
      ["b", shop.asOwner],
      ["a", shop.as(editor)],
    ] as const;
    await Promise.all(
      calls.map(([importId, as], at) => put(people(1_100 + at, `u${at}-`), { importId, more: true }, as)),
    );
    expect(await sums()).toEqual([]);
    for (const [importId, as] of calls) await put(nothing, { importId }, as);
    expect(await events()).toEqual([
      [told(1_102), editor.userId],
      [told(1_101), shop.owner.userId],
      [told(1_100), shop.owner.userId],
    ]);
  });

  test("that fails in a later call has an event about all that was stored", async () => {
    const { put, told } = await begin();
    const parts = { importId: "a", more: true };
    await put(people(5, "v"), parts);
    await expect(put(cutOff(), parts)).rejects.toThrow("lost");
    expect(await sums()).toEqual([told(1_015)]);
    await put(people(1, "w"), parts);
    const wrong = Buffer.from("phone\n123\n");
    await expect(put(wrong, parts)).rejects.toMatchObject({ code: "validation_failed" });
    expect(await sums()).toEqual([told(1), told(1_015)]);
  });

  test("needs an id if further calls follow", async () => {
    const { put } = await begin();
    await expect(put(people(1), { more: true })).rejects.toMatchObject({
      details: [{ path: "importId", message: "is required if more calls follow" }],
    });
    await expect(put(people(1), { importId: "a b", more: true })).rejects.toMatchObject({
      details: [{ path: "importId", message: "must be 1 to 64 letters, digits, hyphens and underscores" }],
    });
    expect(await sums()).toEqual([]);
  });
});
