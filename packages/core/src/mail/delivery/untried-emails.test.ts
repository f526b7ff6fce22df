import { describe, expect, test, vi } from "vitest";
import { eventsOf } from "../../../test/deliveries.ts";
import { add, get, openServersForEach, send } from "../../../test/workspace-servers.ts";
import { hour, reopenWorld, world } from "../../../test/world-for-each.ts";
import type { Logger } from "../../ports/logger.ts";
import { StorageUnavailable } from "../../ports/storage.ts";
import { acceptAll } from "../../testing/index.ts";

openServersForEach();

const away = () => new StorageUnavailable("away");

/** Makes the storage fail at each place between an e-mail's claim and its handing over, from now on. */
const failAt = {
  "its payload is read": (error: Error) =>
    vi.spyOn(world.storage.emailQueue, "payloads").mockRejectedValue(error),
  "its recipients are checked": (error: Error) =>
    vi.spyOn(world.storage.suppressions, "findUnder").mockRejectedValue(error),
  "its domain is looked up": (error: Error) =>
    vi.spyOn(world.storage.domains, "listSending").mockRejectedValue(error),
  "its servers are chosen": (error: Error) =>
    vi.spyOn(world.storage.smtpServers, "findChoices").mockRejectedValue(error),
  "it takes a place in its server's pace": (error: Error) =>
    vi.spyOn(world.storage.smtpServers, "takeSlots").mockRejectedValue(error),
};

describe("an e-mail that fails before it is handed over", () => {
  test.each(Object.keys(failAt) as (keyof typeof failAt)[])(
    "because the storage is away while %s was not tried: it has no attempt, no event, and goes out soon after",
    async (place) => {
      await add("first", { maxPerSecond: 5 });
      const { id } = await send("a", { scheduledAt: world.clock.now() + 1_000 });
      world.clock.advance(1_000);
      const failing = failAt[place](away());
      expect(await world.posthorn.drain()).toBe(1);
      expect(failing).toHaveBeenCalled();
      failing.mockRestore();
      expect(await get(id)).toMatchObject({
        status: "queued",
        recipients: [{ state: "pending" }],
        attempts: [],
      });
      expect(await eventsOf(id)).toEqual([]);
      expect(await world.storage.emailQueue.claims()).toEqual([]);
      world.clock.advance(1_000);
      await world.posthorn.drain();
      expect(await get(id)).toMatchObject({ status: "sent", attempts: [{ number: 1, outcome: "sent" }] });
      expect(world.mailer.inbox.all()).toHaveLength(1);
    },
  );

  test("because the storage is away shares its line in the log with all others of its batch", async () => {
    const warn = vi.fn<Logger["warn"]>();
    await reopenWorld({ logger: { debug() {}, info() {}, warn, error() {} } });
    for (let sent = 0; sent < 20; sent += 1) await send(`${sent}`);
    failAt["its payload is read"](away());
    await world.posthorn.drain();
    const told = warn.mock.calls.filter(([, message]) => message.includes("could not be tried"));
    expect(told).toEqual([[{ err: expect.any(StorageUnavailable) }, expect.any(String)]]);
  });

  test("for want of file descriptors was not tried either", async () => {
    await add("first");
    const { id } = await send("a");
    const lacking = Object.assign(new Error("too many open files"), { code: "EMFILE" });
    failAt["its domain is looked up"](lacking);
    await world.posthorn.drain();
    vi.restoreAllMocks();
    expect(await get(id)).toMatchObject({ status: "queued", attempts: [] });
    world.clock.advance(1_000);
    await world.posthorn.drain();
    expect(await get(id)).toMatchObject({ status: "sent", attempts: [{ number: 1 }] });
  });

  test("by a fault of the service is deferred for a minute, like any other that comes to nothing", async () => {
    await add("first");
    const { id } = await send("a");
    failAt["its domain is looked up"](new Error("a bug"));
    await world.posthorn.drain();
    vi.restoreAllMocks();
    expect((await get(id)).attempts).toMatchObject([{ outcome: "deferred", reply: "an internal error" }]);
  });

  test("because the storage is away for longer than the 48 hours of retries comes to an end", async () => {
    await add("first");
    const { id } = await send("a");
    const failing = failAt["its domain is looked up"](away());
    for (let pauses = 0; pauses < 5; pauses += 1) {
      world.clock.advance(49 * hour);
      await world.posthorn.drain();
    }
    failing.mockRestore();
    const { status, attempts } = await get(id);
    expect(status).toBe("failed");
    expect(attempts.map(({ outcome, reply }) => [outcome, reply])).toEqual([
      ...Array(4).fill(["deferred", "an internal error"]),
      ["failed", "an internal error"],
    ]);
  });
});

test("an error of the mailer's own storage is an attempt: the message may have been transmitted", async () => {
  await add("first");
  const { id } = await send("a");
  world.mailer.answerWith((message) => {
    acceptAll(message);
    throw away();
  });
  await world.posthorn.drain();
  expect((await get(id)).attempts).toMatchObject([{ outcome: "deferred", reply: "an internal error" }]);
});
