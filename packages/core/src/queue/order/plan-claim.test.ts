import { expect, test } from "vitest";
import type { DuePart, Lane } from "../../ports/storage.ts";
import { planClaim, whatCannotWait } from "./plan-claim.ts";

const part = (route: string, lane: Lane = 1, dueAt = 5): DuePart => ({ route, lane, dueAt });
const shares = (due: DuePart[], limit: number, turns = {}) =>
  planClaim(due, limit, turns).map(({ route, lane, limit: count }) => [route, lane, count]);

test("a single route gets all slots, from its oldest waiting e-mail on", () => {
  expect(planClaim([part("w:1", 1, 77)], 60, {})).toEqual([{ route: "w:1", lane: 1, since: 77, limit: 60 }]);
});

test("lanes share by half, third and rest, and none waits for another's e-mails", () => {
  const due = [part("service", 0), part("w:1", 1), part("w:2", 2)];
  expect(shares(due, 60)).toEqual([
    ["service", 0, 30],
    ["w:1", 1, 20],
    ["w:2", 2, 10],
  ]);
  expect(shares([part("w:1", 2), part("w:2", 0)], 3).map(([route]) => route)).toContain("w:1");
});

test("routes of a lane take turns, up to 16 at once, so that none starves", () => {
  const due = Array.from({ length: 40 }, (_, n) => part(`w:${100 + n}`));
  const turns = {};
  const served = new Set<unknown>();
  for (let claim = 0; claim < 3; claim += 1)
    for (const [route, , count] of shares(due, 32, turns)) {
      expect(count).toBe(2);
      served.add(route);
    }
  expect(served.size).toBe(40);
});

test("the turn goes on after the last route that got something: its share may not suffice for 16", () => {
  const due = ["c:1:1", "c:1:2", "c:1:3"].map((route) => part(route));
  const turns = {};
  const served = new Set<unknown>();
  for (let claim = 0; claim < 3; claim += 1) for (const [route] of shares(due, 4, turns)) served.add(route);
  expect([...served].sort()).toEqual(["c:1:1", "c:1:2", "c:1:3"]);
  const low = { 2: "c:1:1" };
  const others = [part("w:2", 0), part("w:3", 1), ...due.map(({ route }) => part(route, 2))];
  const next = () => shares(others, 6, low).filter(([, lane]) => lane === 2);
  expect([next(), next(), next()].flat().map(([route]) => route)).toEqual(["c:1:2", "c:1:3", "c:1:1"]);
});

test("a single e-mail is claimed of a route whose hold ends", () => {
  expect(shares([{ ...part("w:1"), isTrial: true }, part("w:2")], 40)).toEqual([
    ["w:1", 1, 1],
    ["w:2", 1, 20],
  ]);
});

test("a workspace with many routes gets at most half while another waits", () => {
  const due = [...Array.from({ length: 9 }, (_, n) => part(`c:1:${n}`)), part("w:2")];
  const taken = shares(due, 40).filter(([route]) => String(route).startsWith("c:1:"));
  expect(taken.reduce((sum, [, , count]) => sum + Number(count), 0)).toBeLessThanOrEqual(20);
});

test("what a workspace had of the same claim before counts towards its half", () => {
  const due = [part("c:1:7"), part("w:2"), part("w:3")];
  const before = Array.from({ length: 12 }, () => part("c:1:6"));
  const further = (had: DuePart[]) =>
    planClaim(due, 12, {}, { routes: 12, before: had }).map(({ route, limit }) => [route, limit]);
  expect(further(before)).toEqual([
    ["w:2", 4],
    ["w:3", 4],
  ]);
  expect(further(before.slice(0, 6))).toEqual([
    ["c:1:7", 3],
    ["w:2", 4],
    ["w:3", 4],
  ]);
});

test("beyond a full line only urgent e-mails and workspaces without any are claimed, both within limits", () => {
  const due = [part("w:1", 0), part("w:1", 2), part("w:2", 2), part("service", 0)];
  const bounds = { slots: 4, most: 20 };
  const line = (length: number, route: string, lane: Lane) => {
    const waiting = Array.from({ length }, () => part(route, lane));
    return { waiting, ready: waiting };
  };
  expect(whatCannotWait(due, line(3, "w:1", 2), bounds)).toEqual(due);
  expect(whatCannotWait(due, line(4, "w:1", 2), bounds)).toEqual([due[0], due[2], due[3]]);
  expect(whatCannotWait(due, line(20, "w:1", 2), bounds)).toEqual([due[0], due[3]]);
  expect(whatCannotWait(due, line(4, "w:1", 0), bounds)).toEqual([due[2], due[3]]);
  expect(whatCannotWait(due, line(20, "w:1", 0), bounds)).toEqual([]);
});

test("beside e-mails that may not begin, those of other workspaces are claimed before the line is empty of them", () => {
  const due = [part("w:1"), part("w:2"), part("w:3")];
  const [blocked, few] = [Array.from({ length: 10 }, () => part("w:1")), [part("w:2"), part("w:2")]];
  const waiting = [...blocked, ...few];
  expect(whatCannotWait(due, { waiting, ready: few }, { slots: 4, most: 20 })).toEqual([due[1], due[2]]);
  expect(whatCannotWait(due, { waiting, ready: few }, { slots: 4, most: 12 })).toEqual([]);
  expect(whatCannotWait(due, { waiting, ready: waiting }, { slots: 4, most: 20 })).toEqual([due[2]]);
});

test("a line that is full of e-mails which may not begin keeps no other workspace out", () => {
  const due = [part("w:1", 0), part("w:1"), part("w:2", 0), part("w:2")];
  const waiting = [...Array.from({ length: 16 }, () => part("w:1")), ...Array(4).fill(part("w:1", 0))];
  expect(whatCannotWait(due, { waiting, ready: [] }, { slots: 4, most: 20 })).toEqual([due[2], due[3]]);
});

test("a line that is full of e-mails to a workspace's own servers does not keep out its other mail", () => {
  const due = [part("s:1:12"), part("c:1:7"), part("w:1")];
  const waiting = Array.from({ length: 16 }, () => part("s:1:12"));
  expect(whatCannotWait(due, { waiting, ready: [] }, { slots: 4, most: 20 })).toEqual([due[2]]);
});

test("a line that is very full of e-mails which may not begin takes only more for the operator's server", () => {
  const due = [part("s:3:12-0"), part("c:4:1"), part("w:2")];
  const full = (length: number) => ({ waiting: Array.from({ length }, () => part("s:1:11")), ready: [] });
  expect(whatCannotWait(due, full(79), { slots: 4, most: 20 })).toEqual(due);
  expect(whatCannotWait(due, full(80), { slots: 4, most: 20 })).toEqual([due[2]]);
});
