import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorMessages, useCases } from "@posthorn/core/internal";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LanguageServer, openLanguageServer } from "./verbs/language-server.ts";
import { printVerbs, verbsFolder } from "./verbs/print-verbs.ts";

const root = resolve(import.meta.dirname, "..");
const verbs = Object.entries(useCases).flatMap(([aggregate, entries]) =>
  Object.keys(entries).map((verb) => `${aggregate}.${verb}`),
);

const printed = printVerbs();

/** Removes imports, and what the formatter decides: whitespace, line ends, trailing commas, and a union's first bar. */
const unformatted = (text: string): string =>
  text
    .replace(/^import .*?;$|^export type \* .*;$/gms, "")
    .replace(/[\s,]+/g, "")
    .replace(/(?<=[:<(])\|/g, "");

test("the printed interfaces match the use cases: else run `npm run verbs`", async () => {
  const files = await printed;
  const standing = globSync(`${verbsFolder}/**/*.ts`, { cwd: root });
  const ofVerbs = [...files.keys()].filter((path) => path.startsWith(verbsFolder));
  expect(standing.sort()).toEqual([...ofVerbs, `${verbsFolder}/call-options.ts`].sort());
  for (const [name, text] of files) {
    const kept = readFileSync(join(root, name), "utf8");
    expect(unformatted(kept), name).toBe(unformatted(text));
  }
});

test("the printed interfaces name fields as the library has them", async () => {
  const text = [...(await printed)]
    .filter(([path]) => path.startsWith(verbsFolder))
    .map(([, printed]) => printed)
    .join();
  const names = new Set(text.match(/(?<=`)[a-z]+(?:_[a-z]+)+(?=`)/g));
  expect([...names].filter((name) => !Object.hasOwn(errorMessages, name))).toEqual([]);
  expect(text).toContain("unless `onInvalid` is `skip`");
  expect(text).toContain("Time to send, ISO 8601 with an offset, a `Date` or ms since the epoch");
});

const unmarked = (line: string): string => line.replace("/*?*/", "");
/** Whether a hover has no text below its code. */
const isSilent = (hover = ""): boolean => !/```\n\S/.test(hover);

/** Returns the types of verbs' inputs and outputs, by name; throws for one without a name. */
async function typesOfVerbs(): Promise<string[]> {
  const names = new Set<string>();
  for (const [file, text] of await printed) {
    if (file === `${verbsFolder}/index.ts` || !file.startsWith(verbsFolder)) continue;
    for (const [, input = ""] of text.matchAll(/\n {4}input\??: (\w+),\n/g)) names.add(input);
    for (const [, output = ""] of text.matchAll(/\): Promise<(.+)>;\n/g)) {
      expect(output, `${file} answers a type without a name`).toMatch(/^(?:Page<\w+>|\w+(?:\[\])?)$/);
      names.add(output.replace(/^Page<(\w+)>$|\[\]$/, "$1"));
    }
  }
  const index = readFileSync(join(root, "packages/core/src/index.ts"), "utf8");
  const [, answers = ""] = index.split("// What verbs answer.");
  for (const [, listed = ""] of answers.matchAll(/export type \{([^}]*)\}/g))
    for (const [name] of listed.matchAll(/\w+/g)) names.add(name);
  return [...names].filter((name) => /^[A-Z]/.test(name) && name !== "NoInput");
}

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
    expect(lines.filter((_, index) => isSilent(shown[index]))).toEqual([]);
    // The output reads as a name, not as a computed type.
    expect(lines.filter((_, index) => shown[index]?.includes("OutputOf<"))).toEqual([]);
  });

  test("what each option of a service is for, where it is written", async () => {
    const path = "packages/core/src/probe.ts";
    const given = [
      'import { createPosthorn, type PosthornOptions } from "./index.ts";',
      "declare const options: PosthornOptions;",
    ];
    const [offered = []] = await server.complete(path, [...given, "options./*?*/;"].join("\n"));
    const names = offered.map((name) => name.replace("?", ""));
    expect(names).toContain("workspace");
    const lines = names
      .filter((name) => name !== "workspace")
      .map((name) => `createPosthorn({ ...options, workspace: { id: 1 }, /*?*/${name}: options.${name} });`);
    const shown = await server.hover(
      path,
      [...given, "createPosthorn({ ...options, /*?*/workspace: { id: 1 } });", ...lines].join("\n"),
    );
    expect(shown).toHaveLength(names.length);
    expect(shown.filter(isSilent)).toEqual([]);
  });

  test("what each type that verbs accept or return says, and each of its fields", async () => {
    const names = await typesOfVerbs();
    expect(names.length).toBeGreaterThan(150);
    const path = "packages/core/src/probe.ts";
    const imports = `import type { ${names.join(", ")} } from "./index.ts";`;
    const declared = names.map((name) => `declare const of${name}: /*?*/${name};`);
    const types = await server.hover(path, [imports, ...declared].join("\n"));
    expect(names.filter((_, index) => isSilent(types[index]))).toEqual([]);
    const dots = names.map((name) => `of${name}./*?*/;`);
    const offered = await server.complete(path, [imports, ...declared.map(unmarked), ...dots].join("\n"));
    const fields = names.flatMap((name, index) => {
      const members = offered[index] ?? [];
      // A union of strings has the members of every string.
      return members.includes("charAt") ? [] : members.map((field) => `of${name}.${field}`);
    });
    expect(fields.length).toBeGreaterThan(700);
    const asked = fields.map((field) => field.replace(/\.(\w+)\??$/, "./*?*/$1;"));
    const shown = await server.hover(path, [imports, ...declared.map(unmarked), ...asked].join("\n"));
    expect(fields.filter((_, index) => isSilent(shown[index]))).toEqual([]);
  });
});
