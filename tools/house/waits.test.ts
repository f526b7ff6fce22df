import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./source-files.ts";

/** The text from an opening parenthesis to the one that closes it. */
function callAt(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    else if (text[at] === ")") depth -= 1;
    if (depth === 0) return text.slice(start, at + 1);
  }
  return "";
}

test("tests that wait for a condition name their time: Vitest's own default is one second", () => {
  const waits = globSync(["{packages,examples}/*/**/*.ts", "tools/**/*.ts"], {
    cwd: root,
    exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path),
  }).flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return [...text.matchAll(/\bvi\s*\.wait(?:For|Until)(?=\()/g)].map((wait) => ({
      path,
      call: callAt(text, wait.index + wait[0].length),
    }));
  });
  expect(waits.length).toBeGreaterThan(10);
  const hurried = waits.filter(
    ({ call }) => !/(?:[5-9]\d_000|patience)(?:, interval: \d+)?,?(?: \},?)?\s*\)$/.test(call),
  );
  expect(hurried.map(({ path, call }) => `${path}: ${call.slice(0, 80)}`)).toEqual([]);
});
