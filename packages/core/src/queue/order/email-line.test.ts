import { expect, test } from "vitest";
import type { Lane } from "../../ports/storage.ts";
import { createEmailLine } from "./email-line.ts";

interface Mail {
  route: string;
  lane: Lane;
}

const mails = (count: number, route: string, lane: Lane = 1): Mail[] =>
  Array.from({ length: count }, () => ({ route, lane }));

/** Returns the items that begin next while none ends. */
function begin(line: ReturnType<typeof createEmailLine<Mail>>, count: number): Mail[] {
  return Array.from({ length: count }, () => line.next()).flatMap((mail) => mail ?? []);
}

function beginAndEnd(line: ReturnType<typeof createEmailLine<Mail>>): Mail | undefined {
  const mail = line.next();
  if (mail !== undefined) line.leave(mail);
  return mail;
}

const share = (begun: Mail[], is: (mail: Mail) => boolean): number => begun.filter(is).length;

test("urgent e-mails are next, whatever arrived before", () => {
  const line = createEmailLine<Mail>(8);
  line.add(mails(200, "w:1", 2));
  begin(line, 3);
  line.add(mails(1, "w:2", 0));
  expect(line.next()).toEqual({ route: "w:2", lane: 0 });
  expect(line.size).toBe(197);
});

test("lanes share even a single slot by three to two to one, so that none starves", () => {
  const line = createEmailLine<Mail>(1);
  for (const lane of [2, 1, 0] as const) line.add(mails(60, `w:${lane}`, lane));
  const begun = Array.from({ length: 60 }, () => beginAndEnd(line)?.lane);
  expect([0, 1, 2].map((lane) => begun.filter((one) => one === lane).length)).toEqual([30, 20, 10]);
});

test("a lane that was empty for long has not saved up turns", () => {
  const line = createEmailLine<Mail>(1);
  line.add(mails(300, "w:1", 1));
  for (let n = 0; n < 100; n += 1) beginAndEnd(line);
  line.add(mails(90, "w:2", 0));
  const next = Array.from({ length: 10 }, () => beginAndEnd(line)?.lane);
  expect(next[0]).toBe(0);
  expect(next.filter((lane) => lane === 1)).toHaveLength(4);
});

test("nor has a lane whose e-mails may not begin because their servers stall", () => {
  const line = createEmailLine<Mail>(16);
  line.add(mails(40, "s:1:12", 0));
  begin(line, 16);
  line.add(mails(300, "w:2", 1));
  for (let n = 0; n < 100; n += 1) beginAndEnd(line);
  line.add(mails(90, "w:3", 0));
  const next = Array.from({ length: 10 }, () => beginAndEnd(line)?.lane);
  expect(next.filter((lane) => lane === 1)).toHaveLength(4);
});

test("no workspace has more than half of the slots under way while another waits, over all its routes", () => {
  const line = createEmailLine<Mail>(8);
  for (const route of ["w:1", "c:1:1", "c:1:2"]) line.add(mails(10, route));
  const alone = begin(line, 6);
  expect(alone).toHaveLength(6);
  line.add(mails(10, "w:2"));
  for (const mail of alone.slice(0, 4)) line.leave(mail);
  expect(share(begin(line, 6), ({ route }) => route === "w:2")).toBe(4);
});

test("freed slots go to the workspace with the fewest, and there to each route in turn", () => {
  const line = createEmailLine<Mail>(11);
  for (const route of ["c:1:1", "c:1:2", "w:2", "w:3"]) line.add(mails(20, route));
  const begun = begin(line, 11);
  expect(
    ["c:1:1", "c:1:2", "w:2", "w:3"].map((route) => share(begun, (mail) => mail.route === route)),
  ).toEqual([2, 1, 4, 4]);
});

test("returning e-mails leaves no state behind", () => {
  const line = createEmailLine<Mail>(2);
  line.add(mails(5, "w:1"));
  line.add(mails(5, "w:2", 0));
  expect(line.clear()).toHaveLength(10);
  expect([line.size, line.next()]).toEqual([0, undefined]);
  // No other workspace waits any more: all slots are available.
  line.add(mails(2, "w:1"));
  expect(begin(line, 2)).toHaveLength(2);
});

test("nor do those of a workspace whose own servers have all the slots that they may have", () => {
  const line = createEmailLine<Mail>(16);
  line.add(mails(8, "s:1:1"));
  expect(begin(line, 16)).toHaveLength(3);
  expect([line.clear().length, line.ready]).toEqual([5, 0]);
  line.add(mails(2, "w:2"));
  expect(line.ready).toBe(2);
});

test("e-mails for a workspace's own servers leave half of the slots free even while nobody else waits", () => {
  const line = createEmailLine<Mail>(8);
  line.add(mails(40, "s:1:12-0"));
  for (let ended = 0; ended < 10; ended += 1) beginAndEnd(line);
  expect(begin(line, 8)).toHaveLength(4);
  line.add(mails(1, "w:2"));
  expect(line.next()?.route).toBe("w:2");
});

test.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 2],
  [5, 2],
  [6, 3],
  [8, 4],
])("with %i slots, mail to own servers gets %i of them once it flows", (slots, most) => {
  const line = createEmailLine<Mail>(slots);
  line.add(mails(40, "s:1:12"));
  for (let ended = 0; ended < 10; ended += 1) beginAndEnd(line);
  expect(begin(line, slots)).toHaveLength(most);
});

test("a workspace whose next e-mails are still in the queue keeps half of the slots", () => {
  const due = new Map([1, 2].map((workspace) => [workspace, true]));
  const line = createEmailLine<Mail>(8, () => due);
  line.add(mails(20, "w:1"));
  expect(begin(line, 8)).toHaveLength(4);
  expect(line.ready).toBe(0);
  line.add(mails(2, "w:2"));
  expect([line.size, line.ready, line.isBlocked({ route: "w:1", lane: 1 })]).toEqual([18, 2, true]);
  expect(begin(line, 8)).toHaveLength(2);
  due.delete(2);
  expect([line.ready, line.isBlocked({ route: "w:1", lane: 1 })]).toEqual([16, false]);
  expect(begin(line, 8)).toHaveLength(4);
});

test("a workspace whose own servers stall keeps others from no slots but its own", () => {
  const due = new Map([[1, false]]);
  const line = createEmailLine<Mail>(16, () => due);
  line.add(mails(40, "s:1:12"));
  const stalled = begin(line, 16);
  line.add(mails(40, "w:2"));
  const begun = begin(line, 13);
  expect([stalled.length, begun.length, line.ready]).toEqual([3, 13, 27]);
  // What the operator's server carries competes, in the queue and in the line.
  due.set(1, true);
  for (const mail of begun.splice(0, 3)) line.leave(mail);
  expect([line.next(), line.ready]).toEqual([undefined, 0]);
  due.set(1, false);
  line.add(mails(1, "w:3"));
  expect(begin(line, 3).map(({ route }) => route)).toEqual(["w:3", "w:2", "w:2"]);
});

test("workspaces whose own servers stall leave a quarter of the slots to the operator's", () => {
  const line = createEmailLine<Mail>(16);
  for (let workspace = 1; workspace <= 20; workspace += 1) line.add(mails(10, `s:${workspace}:12`));
  expect(begin(line, 16)).toHaveLength(12);
  expect(line.ready).toBe(0);
  line.add(mails(5, "w:11"));
  expect(line.ready).toBe(5);
  expect(share(begin(line, 16), ({ route }) => route === "w:11")).toBe(5);
});

test("workspaces whose own servers stall together leave slots to others", () => {
  const line = createEmailLine<Mail>(50);
  for (let workspace = 1; workspace <= 12; workspace += 1) line.add(mails(10, `s:${workspace}:12`));
  expect(begin(line, 50)).toHaveLength(29);
  for (let workspace = 13; workspace <= 25; workspace += 1) line.add(mails(10, `s:${workspace}:12`));
  expect(new Set(begin(line, 8).map(({ route }) => route)).size).toBe(8);
});

test("workspaces whose mail flowed before it stalls leave slots to others, too", () => {
  const line = createEmailLine<Mail>(50);
  for (const route of ["s:1:1", "s:2:2"]) {
    line.add(mails(200, route));
    for (let ended = 0; ended < 60; ended += 1) beginAndEnd(line);
  }
  const stalled = begin(line, 50);
  expect([stalled.length, share(stalled, ({ route }) => route === "s:1:1")]).toEqual([27, 14]);
  for (let workspace = 3; workspace <= 12; workspace += 1) line.add(mails(10, `s:${workspace}:12`));
  expect(new Set(begin(line, 10).map(({ route }) => route)).size).toBe(10);
});

test.each([4, 5, 6, 8, 10])(
  "with %i slots, too, the last for own servers is for a workspace that has none",
  (slots) => {
    const line = createEmailLine<Mail>(slots);
    for (const route of ["s:1:1", "s:2:2"]) {
      line.add(mails(200, route));
      for (let ended = 0; ended < 60; ended += 1) beginAndEnd(line);
    }
    begin(line, slots);
    line.add(mails(10, "s:3:3"));
    expect(begin(line, slots).map(({ route }) => route)).toEqual(["s:3:3"]);
  },
);

test("time that an e-mail waited for others is no stall of its server", () => {
  let now = 0;
  const line = createEmailLine<Mail>(50, undefined, () => now);
  line.add(mails(100, "s:1:1"));
  const turn = (restarts: boolean): number => {
    const begun = begin(line, 50);
    now += 40_000;
    if (restarts) for (const mail of begun) line.restart(mail);
    for (const mail of begun) line.leave(mail);
    return begun.length;
  };
  expect([turn(true), turn(false), turn(false)]).toEqual([3, 6, 3]);
});

test("mail for own servers gets more slots as it flows, and fewer again once it stalls", () => {
  let now = 0;
  const line = createEmailLine<Mail>(16, undefined, () => now);
  line.add(mails(100, "c:1:1"));
  const turn = (count: number): void => {
    const begun = begin(line, 16);
    expect(begun).toHaveLength(count);
    now += 1_000;
    for (const mail of begun) line.leave(mail);
  };
  for (const count of [3, 6, 8, 8]) turn(count);
  now += 30_000;
  const stalled = begin(line, 16);
  now += 30_000;
  for (const mail of stalled) line.leave(mail);
  turn(3);
  // However long it has flowed, two that stall suffice.
  line.add(mails(300, "c:1:1"));
  for (let flowed = 0; flowed < 200; flowed += 1) beginAndEnd(line);
  for (let stalls = 0; stalls < 2; stalls += 1) {
    const [mail] = begin(line, 1);
    now += 30_000;
    if (mail !== undefined) line.leave(mail);
  }
  turn(3);
});
