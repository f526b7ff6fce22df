import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { packages } from "./packages.ts";

const root = resolve(import.meta.dirname, "..");

interface Manifest {
  name: string;
  exports: Record<string, Record<string, string>>;
  main?: string;
  types?: string;
  typesVersions?: Record<string, Record<string, string[]>>;
}

const manifests = packages.map(
  ({ folder }) =>
    JSON.parse(readFileSync(join(root, "packages", folder, "package.json"), "utf8")) as Manifest,
);
/** Every entry by its import name, except those that only a test runner can load. */
const entries = manifests.flatMap(({ name, exports }) =>
  Object.keys(exports)
    .map((path) => join(name, path))
    .filter((entry) => !entry.endsWith("/testing/contract")),
);

test("a CommonJS host can require every entry", () => {
  const script = `
    const names = ${JSON.stringify(entries)}.map((entry) => [entry, Object.keys(require(entry)).length]);
    process.stdout.write(JSON.stringify(names));`;
  const out = execFileSync(
    process.execPath,
    ["--conditions=posthorn-source", "--no-warnings", "--input-type=commonjs", "-e", script],
    { cwd: root, encoding: "utf8" },
  );
  const loaded = JSON.parse(out) as [string, number][];
  expect(loaded.map(([entry]) => entry)).toEqual(entries);
  // The shapes of the wire are only types.
  expect(loaded.flatMap(([entry, names]) => (names === 0 ? entry : []))).toEqual([
    "@posthorn/client/schemas",
  ]);
});

test("no entry is for import alone: require, bundlers and older resolvers get the same file", () => {
  const conditions = manifests.flatMap(({ name, exports }) =>
    Object.entries(exports).map(([path, one]) => [
      join(name, path),
      Object.keys(one).at(-1),
      "import" in one,
    ]),
  );
  expect(conditions.filter(([, last, isImport]) => last !== "default" || isImport)).toEqual([]);
});

test("a host with TypeScript's old resolution (node10) finds the types of every entry", () => {
  for (const { name, exports, main, types, typesVersions } of manifests) {
    const { ".": whole, ...parts } = exports;
    expect([name, main, types]).toEqual([name, whole?.["default"], whole?.["types"]]);
    const found = Object.entries(parts).map(([path, one]) => [path.slice("./".length), [one["types"]]]);
    expect([name, typesVersions?.["*"] ?? {}]).toEqual([name, Object.fromEntries(found)]);
  }
});
