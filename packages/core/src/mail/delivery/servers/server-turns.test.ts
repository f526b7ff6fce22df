import { expect, test, vi } from "vitest";
import { add, openServersForEach } from "../../../../test/workspace-servers.ts";
import { workspace, world } from "../../../../test/world-for-each.ts";
import type { RouteHold } from "./route-hold.ts";
import { createServerTurns, type ServerTurn } from "./server-turns.ts";

openServersForEach();

/** Opens a server of twenty messages a second with three connections, and takes the turns that it has room for: five. */
async function openBusy() {
  await add("slow", { maxPerSecond: 20, maxConnections: 3 });
  const [server] = await world.storage.smtpServers.list(workspace.id);
  if (server === undefined) throw new Error("there is no server");
  const turns = createServerTurns(
    { storage: world.storage, queueClock: world.clock },
    { health: { hold: () => undefined }, share: (most) => Promise.resolve(most) },
  );
  const stopping = new AbortController();
  const take = (count: number): Promise<ServerTurn | RouteHold>[] =>
    Array.from({ length: count }, () => turns(server, { signal: stopping.signal }));
  const busy = await Promise.all(take(5));
  return { take, stopping, busy: busy.filter((turn) => "end" in turn) };
}

test("while a paced server keeps its messages, no slots of its pace pass, and one that ends makes room for one", async () => {
  const { take, busy, stopping } = await openBusy();
  expect(busy).toHaveLength(5);
  const slots = vi.spyOn(world.storage.smtpServers, "takeSlots");
  let begun = 0;
  const late = take(15);
  for (const turn of late)
    void turn.then((taken) => {
      if ("end" in taken) begun += 1;
    });
  for (let second = 0; second < 12; second += 1) {
    world.clock.advance(1000);
    await world.storage.ping();
  }
  expect(slots).not.toHaveBeenCalled();
  busy[0]?.end();
  await Promise.race(late);
  // Those of the same second had slots behind it, and find no room.
  stopping.abort();
  await Promise.all(late);
  expect(begun).toBe(1);
});

test("messages that wait for a paced server are returned when the service stops", async () => {
  const { take, stopping } = await openBusy();
  const late = take(3);
  stopping.abort();
  const causes = (await Promise.all(late)).map((turn) => "cause" in turn && turn.cause);
  expect(causes).toEqual(["closed", "closed", "closed"]);
});
