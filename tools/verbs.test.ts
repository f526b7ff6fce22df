import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { useCases } from "@posthorn/core/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LanguageServer, openLanguageServer } from "./verbs/language-server.ts";
import { printVerbs, verbsFolder } from "./verbs/print-verbs.ts";

const root = resolve(import.meta.dirname, "..");
const verbs = Object.entries(useCases).flatMap(([aggregate, entries]) =>
  Object.keys(entries).map((verb) => `${aggregate}.${verb}`),
);

/** Without imports, and without what the formatter decides: blanks, line ends, trailing commas, and a union's first bar. */
const unformatted = (text: string): string =>
  text
    .replace(/^import .*?;$|^export type \* .*;$/gms, "")
    .replace(/[\s,]+/g, "")
    .replace(/(?<=[:<(])\|/g, "");

test("the printed interfaces are those of the use cases: else run `npm run verbs`", async () => {
  for (const [name, text] of await printVerbs()) {
    const kept = readFileSync(join(root, verbsFolder, name), "utf8");
    expect(unformatted(kept), name).toBe(unformatted(text));
  }
});

describe("an editor shows", () => {
  let server: LanguageServer;
  beforeAll(async () => {
    server = await openLanguageServer();
  });
  afterAll(() => server.close());

  const probe = (lines: string[]): string =>
    ['import type { Posthorn } from "./index.ts";', "declare const posthorn: Posthorn;", ...lines].join("\n");

  test("what each public verb does, on the service and on a workspace's view", async () => {
    expect(verbs.length).toBeGreaterThan(100);
    const lines = verbs.flatMap((name) => {
      const [aggregate, verb] = name.split(".");
      return [`posthorn.${aggregate}./*?*/${verb};`, `posthorn.workspace(1).${aggregate}./*?*/${verb};`];
    });
    const shown = await server.hover("packages/core/src/probe.ts", probe(lines));
    const silent = lines.filter((_, index) => !/```\n\S/.test(shown[index] ?? ""));
    expect(silent).toEqual([]);
    // What it answers reads as words, not as how the compiler is to find it out.
    expect(lines.filter((_, index) => shown[index]?.includes("OutputOf<"))).toEqual([]);
  }, 60_000);
});
