import { expect, test, vi } from "vitest";
import { openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import { followEvents } from "../events/follow-events.ts";

openWorldForEach();

const email = "ada@example.com";

test("events that are kept for followers are forgotten a minute after they were read, with what was erased since", async () => {
  const stop = new AbortController();
  const follow = (after: number) =>
    followEvents(world.storage, { workspaceId: workspace.id, after, signal: stop.signal });
  /** Reads until an event of the type. */
  const readUntil = async (type: string, events: ReturnType<typeof follow>): Promise<string> => {
    const told: unknown[] = [];
    for (let next = await events.next(); !next.done; next = await events.next()) {
      told.push(next.value);
      if (next.value.type === type) break;
    }
    return JSON.stringify(told);
  };
  const after = await world.storage.events.lastId();
  const always = follow(after);
  const first = readUntil("suppression.created", always);
  await world.posthorn.suppressions.create({ email }, workspace.asOwner);
  expect(await first).toContain(email);
  await world.posthorn.recipients.erase({ email }, workspace.asOwner);
  await world.posthorn.drain();
  await readUntil("recipient.erased", always);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 61_000);
  const again = await readUntil("recipient.erased", follow(after));
  expect(again).toContain("suppression.created");
  expect(again).not.toContain(email);
  vi.restoreAllMocks();
  stop.abort();
});
