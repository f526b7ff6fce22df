import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./source-files.ts";

test("property tests set a size where they name a length: fast-check's default stays at ten or twenty", () => {
  const texts = globSync(["packages/*/{src,test}/**/*.ts", "tools/*.ts"], { cwd: root })
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
    .filter(({ text }) => text.includes('from "fast-check"'));
  expect(texts.length).toBeGreaterThan(10);
  const short = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/maxLength: ([\d_]+)(?![\d_]|,\s*size: "max")/g)]
      .filter(([, length]) => Number(length?.replaceAll("_", "")) > 10)
      .map(([words]) => `${path}: ${words}`),
  );
  expect(short).toEqual([]);
});
