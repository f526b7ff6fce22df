import { expect, test } from "vitest";
import type { MachineReason } from "../../ports/storage.ts";
import { trapLink } from "../links/link-rewrite.ts";
import type { Hit } from "./hit.ts";
import { judgeClicks } from "./judge-clicks.ts";

const click = (link: number, at: number, machine: boolean | null = false): Hit => ({
  kind: "click",
  row: 1,
  position: 0,
  link,
  url: `https://shop.example/${link}`,
  at,
  lastAt: at,
  count: 1,
  agentClass: "browser",
  machine,
  reason: machine === true ? "known_agent" : undefined,
  ip: "",
  userAgent: "",
});
/** A link that was followed again, the last time at `lastAt`. */
const again = (link: number, at: number, lastAt: number): Hit => ({ ...click(link, at), lastAt, count: 2 });
const judged = (verdict: unknown, hit: Hit): Hit =>
  typeof verdict === "string" ? { ...hit, machine: true, reason: verdict as MachineReason } : hit;

test.each([
  ["one link", [click(0, 0)], [false]],
  ["two links at once", [click(0, 0), click(1, 5)], [false, false]],
  [
    "three links within two seconds",
    [click(0, 0), click(1, 900), click(2, 2_000)],
    ["burst", "burst", "burst"],
  ],
  ["three links over a longer time", [click(0, 0), click(1, 1_500), click(2, 2_001)], [false, false, false]],
  ["one link three times", [click(0, 0), click(0, 10), click(0, 20)], [false, false, false]],
  [
    "a burst, and a reader who comes later",
    [click(0, 0), click(1, 1), click(2, 2), click(0, 2_500)],
    ["burst", "burst", "burst", false],
  ],
  [
    "a scanner is a scanner",
    [click(0, 0, true), click(1, 1, null), click(2, 2)],
    ["known_agent", "burst", "burst"],
  ],
  [
    "the link that nobody sees",
    [click(0, 0), click(trapLink, 1_999), click(1, 4_500)],
    ["trap", "trap", false],
  ],
  [
    "a link that was followed again with the trap",
    [again(0, 0, 5_000), click(trapLink, 6_000)],
    ["trap", "trap"],
  ],
  ["a trap that was followed again", [again(trapLink, 0, 5_000), click(1, 6_000)], ["trap", "trap"]],
  [
    "a reader whose link is in a later burst",
    [again(0, 0, 5_000), click(1, 5_000), click(2, 5_001), click(3, 5_002)],
    [false, "burst", "burst", "burst"],
  ],
  [
    "a reader who comes after a burst that was repeated",
    [again(1, 0, 5_000), again(2, 1, 5_000), again(3, 2, 5_000), click(0, 6_000)],
    ["burst", "burst", "burst", false],
  ],
])("%s", (_, clicks, expected) => {
  expect(judgeClicks(clicks)).toEqual(clicks.map((hit, index) => judged(expected[index], hit)));
});
