import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { tableEnds, tableNames } from "@posthorn/storage-sql";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

test("every table states how its rows end, and the operations page agrees", () => {
  const document = readFileSync(join(root, "docs/operations.md"), "utf8");
  const listed = [...document.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, table, end]) => [table, end]);
  const declared = Object.entries(tableEnds);
  expect(declared.map(([table]) => table).sort()).toEqual([...tableNames()].sort());
  expect(Object.fromEntries(listed.filter(([table = ""]) => Object.hasOwn(tableEnds, table)))).toEqual(
    tableEnds,
  );
});

test("each table kept for ever states why", () => {
  const forEver = Object.values(tableEnds).filter((end) => end.includes("kept for ever"));
  expect(forEver.length).toBeGreaterThan(0);
  for (const end of forEver) expect(end).toMatch(/kept for ever,? because /);
  for (const end of Object.values(tableEnds)) expect(end.length).toBeGreaterThan(5);
});
