import { expect, test } from "vitest";
import { diffLines, showDiff } from "./line-diff.ts";

const marks = (before: string, after: string): string[] =>
  diffLines(before, after).map(({ mark, text }) => `${mark}${text.trimEnd()}`);

test("equal texts have no difference; others have the fewest changed lines", () => {
  expect(marks("a\nb\n", "a\nb\n")).toEqual([]);
  expect(marks("", "a\nb")).toEqual(["+a", "+b"]);
  expect(marks("a\nb\nc\nd\n", "a\nc\nx\nd\n")).toEqual([" a", "-b", " c", "+x", " d"]);
});

test("a difference rebuilds both sides, for any texts", () => {
  const pieces = ["a\n", "b\n", "c\n", "\n"];
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  for (let round = 0; round < 200; round += 1) {
    const [before, after] = [random(9), random(9)].map((length) =>
      Array.from({ length }, () => pieces[random(pieces.length)]).join(""),
    );
    const lines = diffLines(before ?? "", after ?? "");
    const side = (left: string): string =>
      lines.flatMap(({ mark, text }) => (mark === left ? [] : [text])).join("");
    if (before === after) expect(lines).toEqual([]);
    else expect([side("+"), side("-")]).toEqual([before, after]);
  }
});

test("texts with hardly a common line are replaced as a whole, without a long comparison", () => {
  const side = (letter: string) => Array.from({ length: 1_500 }, (_, at) => `${letter}${at}\n`).join("");
  const lines = diffLines(`${side("a")}same\n`, `${side("b")}same\n`);
  expect(lines.filter(({ mark }) => mark === "-")).toHaveLength(1_501);
  expect(lines.filter(({ mark }) => mark === "+")).toHaveLength(1_501);
});

test("omits lines far from any change, and neutralises control characters", () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n");
  const shown = showDiff("x", diffLines(`${before}\nold`, `${before}\n\u001b[31mnew`));
  expect(shown).toBe("x\n  line 17\n  line 18\n  line 19\n- old\n+ �[31mnew");
});

test("shows a difference completely, however long it is", () => {
  const lines = Array.from({ length: 1_000 }, (_, at) => `line ${at}`);
  expect(showDiff("x", diffLines("", lines.join("\n"))).split("\n")).toEqual([
    "x",
    ...lines.map((line) => `+ ${line}`),
  ]);
});
