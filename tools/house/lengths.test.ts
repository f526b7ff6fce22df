import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isContract, root, type SourceFile, shipped } from "./source-files.ts";

const lengthOf = (text: string): number => text.trimEnd().split("\n").length;

test("no file has more than 300 lines, tests, tools and generated files included", () => {
  const folders = ["packages/*/{src,test}", "tools", "examples", "bench", "faults", "browser"];
  const files = globSync(
    folders.map((folder) => `${folder}/**/*.ts`),
    { cwd: root, exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path) },
  );
  expect(files.length).toBeGreaterThan(1_000);
  const long = files
    .map((path) => ({ path, lines: lengthOf(readFileSync(join(root, path), "utf8")) }))
    .filter(({ lines }) => lines > 300);
  expect(long).toEqual([]);
});

test("half of the source files have at most 60 lines", () => {
  const lengths = shipped.map(({ text }) => lengthOf(text)).sort((a, b) => a - b);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(60);
});

test("functions have at most 60 lines of their own, not counting the functions inside them", () => {
  // A migration is one list of tables, and is never edited once it has landed.
  const counted = shipped.filter(({ path }) => !isContract(path) && !path.includes("/migrations/"));
  const long = counted.flatMap(findLongFunctions);
  expect(long).toEqual([]);
});

/** Matches the start of a function: the formatter puts its end on the next line of the same indent that closes it. */
const opening = /^(\s*)(?:.*\bfunction\b.*\(|.*=> \{$|(?:async )?(?:get )?\*?[\w"/]+\(.*\{$)/;
const notFunctions = /^\s*(if|for|while|switch|return|\} else|catch)\b/;

function findLongFunctions({ path, text }: SourceFile): string[] {
  const lines = text.split("\n");
  const found: { from: number; to: number }[] = [];
  for (const [from, line] of lines.entries()) {
    const indent = opening.exec(line)?.[1];
    if (indent === undefined || notFunctions.test(line)) continue;
    const length = lines
      .slice(from + 1)
      .findIndex((one) => one.startsWith(`${indent}}`) && !one.endsWith("{"));
    if (length >= 0) found.push({ from, to: from + 1 + length });
  }
  return found.flatMap(({ from, to }) => {
    const inner = found.filter((one) => one.from > from && one.to < to);
    const own = new Set(Array.from({ length: to - from + 1 }, (_, at) => from + at));
    for (const one of inner) for (let at = one.from; at <= one.to; at += 1) own.delete(at);
    return own.size > 60 ? `${path}:${from + 1} has ${own.size} lines` : [];
  });
}
