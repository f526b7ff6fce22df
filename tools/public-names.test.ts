import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { files, root, type SourceFile } from "./house/source-files.ts";
import { packages } from "./packages.ts";

const typed = /^export (type|interface|class) /;

interface Exported {
  name: string;
  path: string;
  /** Line before the declaration. */
  before: string;
  /** Members of an interface. */
  body: string;
}

const nameOf = ({ path, name }: Exported): string => `${path}: ${name}`;

const exportsOf = (folder: string, entry = ""): Exported[] => {
  const file = files.find(({ path }) => path === `packages/${folder}/${entry}`);
  return file === undefined ? [] : findExports(file);
};

/** Exports of the entry `.` of every package. */
const roots = packages.flatMap(({ folder, entries }) => exportsOf(folder, entries.index));

describe("public names", () => {
  const exported = packages.flatMap(({ folder, entries }) =>
    Object.values(entries).flatMap((entry) => exportsOf(folder, entry)),
  );

  test("none has two meanings", () => {
    expect(roots.length).toBeGreaterThan(200);
    const places = Map.groupBy(roots, ({ name }) => name);
    const twice = [...places.values()].filter((same) => new Set(same.map(({ path }) => path)).size > 1);
    expect(twice.map((same) => same.map(nameOf))).toEqual([]);
  });

  test("each export of a root is used in a page or an example of the documentation", () => {
    const shown = globSync(["README.md", "docs/*.md", "packages/*/README.md", "examples/*/*.ts"], {
      cwd: root,
    })
      .map((path) => readFileSync(join(root, path), "utf8"))
      .join("\n");
    const values = roots.filter(({ body }) => !/^export (type|interface) /.test(body));
    expect(values.length).toBeGreaterThan(25);
    // A storage's parts are for authors of storages, and the command line's for the command.
    const used = values.filter(({ path }) => !/^packages\/(storage-sql|cli)\//.test(path));
    expect(used.filter(({ name }) => !new RegExp(`\\b${name}\\b`).test(shown)).map(nameOf)).toEqual([]);
  });

  test("what only other packages of this repository need is exported by no root", () => {
    const names = new Set(roots.map(nameOf));
    const inner = packages.flatMap(({ folder, entries }) => exportsOf(folder, entries.internal));
    expect(inner.length).toBeGreaterThan(15);
    expect(inner.map(nameOf).filter((name) => names.has(name))).toEqual([]);
  });

  test("a storage imports only core's ports and version", () => {
    const wrong = files.flatMap(({ path, imports }) =>
      /^packages\/storage-[^/]*\/src\/(?!.*\.test\.ts$)/.test(path)
        ? imports.flatMap(({ specifier }) =>
            /^@posthorn\/core(?!\/(storage|version)$)/.test(specifier) ? `${path} imports ${specifier}` : [],
          )
        : [],
    );
    expect(wrong).toEqual([]);
  });

  test("each has a docstring", () => {
    expect(exported.length).toBeGreaterThan(100);
    expect(exported.filter(({ before }) => !before.endsWith("*/")).map(nameOf)).toEqual([]);
  });

  test("each member of an exported or storage type has a docstring, and so does each option", () => {
    const ports = exportsOf("core", "src/ports/storage.ts");
    const options = exported.filter(({ name }) => name.endsWith("Options"));
    const described = new Set([...roots, ...ports, ...options]);
    const bare = [...described].flatMap((one) =>
      membersOf(one)
        .filter(({ before }) => !before.endsWith("*/"))
        .map(({ name }) => `${nameOf(one)}.${name}`),
    );
    expect([...described].flatMap(membersOf).length).toBeGreaterThan(1_000);
    expect([...new Set(bare)]).toEqual([]);
  });
});

/** Returns fields and methods of an interface, a class or a type, each with the line before it. */
const membersOf = ({ body }: Exported): { name: string; before: string }[] =>
  typed.test(body)
    ? [...body.matchAll(/(.*)\n {2}(?:readonly |override )*(\w+)(?:<[^>]*>)?\??(?:: |\()/g)].map(
        ([, before = "", name = ""]) => ({ name, before: before.trim() }),
      )
    : [];

/** Returns the exports of an entry with their declarations; `export *` exports all of a file. */
function findExports({ path, text }: SourceFile): Exported[] {
  const from = [...text.matchAll(/^export (type )?(?:\{([^}]*)\}|\*) from "(\.[^"]+)"/gm)];
  const handedOn = from.flatMap(([, type, names, target = ""]) => {
    const file = files.find((one) => one.path === join(dirname(path), target));
    if (file === undefined) return [];
    const all = [...findExports(file), ...findDeclarations(file)];
    // With `export type *`, constants and functions can't be used.
    if (names === undefined) return type === undefined ? all : all.filter(({ body }) => typed.test(body));
    const wanted = names.split(",").map((name) => name.trim().replace(/^type /, ""));
    return all.filter(({ name }) => wanted.includes(name));
  });
  return [...new Map(handedOn.map((one) => [nameOf(one), one])).values()];
}

function findDeclarations({ path, text }: SourceFile): Exported[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const name = /^export (?:async )?(?:function\*?|const|interface|type|class) (\w+)/.exec(line)?.[1];
    if (name === undefined) return [];
    const end = lines.findIndex((one, index) => index >= at && /^\S.*[;}]$|^\}/.test(one));
    return { name, path, before: lines[at - 1]?.trim() ?? "", body: lines.slice(at, end + 1).join("\n") };
  });
}
