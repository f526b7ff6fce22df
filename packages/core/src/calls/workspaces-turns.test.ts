import { buffer } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld } from "../testing/index.ts";

test("long calls by API keys take the turns of their workspaces and wait for no other's, short ones for none", async () => {
  const storage = await openTestSqlite();
  const { promise: reading, resolve: answer } = Promise.withResolvers<void>();
  let isReading = false;
  const world = await createWorld({
    ...storage,
    suppressions: {
      ...storage.suppressions,
      async listAfter(...asked: Parameters<typeof storage.suppressions.listAfter>) {
        isReading = true;
        await reading;
        return storage.suppressions.listAfter(...asked);
      },
    },
  });
  const open = async () => {
    const { asOwner } = await world.addWorkspace();
    const { key } = await world.posthorn.apiKeys.create({ name: "shop" }, asOwner);
    return { asOwner, caller: await world.posthorn.authenticateApiKey(key) };
  };
  const [busy, other] = [await open(), await open()];
  const done: string[] = [];
  const send = async (name: string, as: typeof busy.caller, count = 201): Promise<void> => {
    if (as === undefined) throw new Error("the key is not valid");
    const recipients = Array.from({ length: count }, (_, index) => ({ to: `p${index}@example.com` }));
    await world.posthorn.as(as).emails.sendBatch({ subject: "Hi", text: "Hello", recipients });
    done.push(name);
  };
  const { content } = await world.posthorn.suppressions.export({}, busy.asOwner);
  const exported = buffer(content);
  while (!isReading) await turn();
  const waits = send("busy", busy.caller);
  await send("other", other.caller);
  await send("short", busy.caller, 200);
  expect(done).toEqual(["other", "short"]);
  answer();
  await Promise.all([exported, waits]);
  expect(done).toEqual(["other", "short", "busy"]);
  await world.close();
});
