import { expect, test } from "vitest";
import { host, minute, openWorldForEach, world } from "../../test/world-for-each.ts";
import type { NewHits } from "../ports/storage.ts";

openWorldForEach();

const day = 1_440 * minute;

async function sendTo(...to: string[]): Promise<{ id: string; row: number }> {
  const { id } = await world.posthorn.emails.send({ subject: "Hi", text: "x", to }, host());
  await world.posthorn.drain();
  return { id, row: (await world.storage.reports.findEmail({ id }))?.row ?? 0 };
}

const hits = (row: number, over: Partial<NewHits> = {}): NewHits => ({
  ...{ row, position: 0, kind: "open", count: 1, humanCount: 0, firstAt: world.clock.now() + 1 },
  ...{ firstHumanAt: undefined, agentClass: "browser", machineReason: undefined },
  ...{ address: undefined, agent: undefined },
  ...over,
});

let pieces = 0;
const add = (...all: NewHits[]) => world.storage.tracking.add(all, day, ++pieces);
const read = (emailId: string) => world.posthorn.emails.get({ emailId }, host());

test("an e-mail that nobody has opened has neither hits nor times", async () => {
  const email = await read((await sendTo("ada@example.com")).id);
  expect(email).toMatchObject({ opens: undefined, clicks: undefined });
  expect(email.recipients[0]).toMatchObject({ openedAt: undefined, opens: undefined, clicks: undefined });
  expect(email.timeline.map(({ type }) => type)).toEqual(["accepted", "attempt", "settled"]);
});

test("a recipient has the first opening of a person, not of the program before it", async () => {
  const { id, row } = await sendTo("ada@example.com");
  const now = world.clock.now();
  await add(hits(row, { count: 2, agentClass: "machine", machineReason: "too_soon" }));
  await add(hits(row, { humanCount: 1, firstAt: now + 90, firstHumanAt: now + 90 }));
  const click = { kind: "click", agentClass: "machine", machineReason: "burst", count: 3 } as const;
  await add(hits(row, { ...click, firstAt: now + 5, address: "192.0.2.0/24" }));
  const email = await read(id);
  const opens = { count: 3, humanCount: 1, firstAt: now + 1, firstHumanAt: now + 90, agentClass: "browser" };
  const clicks = { count: 3, humanCount: 0, firstAt: now + 5, agentClass: "machine" };
  expect(email).toMatchObject({ opens, clicks });
  const own = { openedAt: now + 90, clickedAt: undefined, opens, clicks };
  expect(email.recipients).toEqual([expect.objectContaining(own)]);
  const [machine, opened] = email.timeline.slice(-2);
  expect(machine).toMatchObject({
    ...{ at: now + 5, type: "machine", recipient: "ada@example.com" },
    message:
      "Links were followed for ada@example.com 3 times, by no person as far as known: several links within 2 seconds.",
    details: { kind: "click", count: 3, human_count: 0, machine_reason: "burst", address: "192.0.2.0/24" },
  });
  expect(opened).toMatchObject({
    ...{ at: now + 90, type: "opened", recipient: "ada@example.com" },
    message:
      "ada@example.com opened it; once so far, and 2 times by no person as far as known (less than 3 seconds after delivery).",
  });
});

test("hits on a message that several recipients share are the e-mail's, and nobody's", async () => {
  const { id, row } = await sendTo("ada@example.com", "bob@example.com");
  const at = world.clock.now() + 7;
  await add(hits(row, { position: undefined, kind: "click", humanCount: 1, firstHumanAt: at, firstAt: at }));
  const email = await read(id);
  expect(email.clicks).toMatchObject({ count: 1, humanCount: 1, firstHumanAt: at });
  expect(email.recipients).toEqual([
    expect.objectContaining({ clickedAt: undefined, clicks: undefined }),
    expect.objectContaining({ clickedAt: undefined, clicks: undefined }),
  ]);
  const last = email.timeline.at(-1);
  expect(last).toMatchObject({ type: "clicked", recipient: undefined });
  expect(last?.message).toBe("A recipient followed a link; once so far.");
});

test("an e-mail adds up its recipients, with the program of who began last", async () => {
  const { id, row } = await sendTo("ada@example.com", "bob@example.com");
  const at = world.clock.now() + 10;
  await add(
    hits(row, { humanCount: 1, firstAt: at + 5, firstHumanAt: at + 5, agentClass: "mail_program" }),
    hits(row, { position: 1, count: 4, firstAt: at, agentClass: "unknown" }),
  );
  const email = await read(id);
  expect(email.opens).toEqual({
    ...{ count: 5, humanCount: 1, firstAt: at, firstHumanAt: at + 5, agentClass: "mail_program" },
  });
  expect(email.recipients.map(({ openedAt }) => openedAt)).toEqual([at + 5, undefined]);
  expect(email.timeline.at(-2)?.message).toContain("4 times, by no person as far as known: nothing tells");
});

test("hits of another e-mail are not shown", async () => {
  const [one, other] = [await sendTo("ada@example.com"), await sendTo("ada@example.com")];
  await add(hits(other.row, { humanCount: 1, firstHumanAt: world.clock.now() }));
  expect((await read(one.id)).opens).toBeUndefined();
  expect((await read(other.id)).opens).toMatchObject({ count: 1 });
});
