import { buffer } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { mostInATurn } from "../../test/most-in-a-turn.ts";
import { createWorld } from "../testing/index.ts";
import { useCase } from "./use-case.ts";

const client = { ip: "", userAgent: "" };

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

test("of many short calls at once, one of each workspace goes on in each turn of the event loop, two in all", async () => {
  const world = await createWorld(await openTestSqlite());
  const workspaces = await Promise.all(Array.from({ length: 4 }, () => world.addWorkspace()));
  let steps = 0;
  const short = useCase({
    access: "emails:read",
    reads: true,
    input: z.object({}),
    async run({ yieldThread }) {
      for (let step = 0; step < 5; step += 1) {
        await yieldThread();
        steps += 1;
      }
    },
  });
  const calls = Promise.all(
    workspaces.flatMap(({ id: workspaceId }) =>
      Array.from({ length: 5 }, () =>
        world.posthorn.execute(short, {}, { caller: { kind: "operator", name: "" }, client, workspaceId }),
      ),
    ),
  );
  expect(await mostInATurn(() => steps, 100)).toBeLessThanOrEqual(2);
  await calls;
  await world.close();
});
