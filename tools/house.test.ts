import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { version } from "@posthorn/core/version";
import { describe, expect, test } from "vitest";
import { files, type Import, isContract, root, type SourceFile, shipped } from "./house/source-files.ts";
import { packages } from "./packages.ts";

const under = (prefix: string): SourceFile[] => shipped.filter(({ path }) => path.startsWith(prefix));
const offences = (where: SourceFile[], isWrong: (one: Import) => boolean): string[] =>
  where.flatMap(({ path, imports }) =>
    imports.filter(isWrong).map(({ specifier }) => `${path} imports ${specifier}`),
  );

const manifests = packages.map(({ folder }) => {
  const text = readFileSync(join(root, "packages", folder, "package.json"), "utf8");
  const manifest = JSON.parse(text) as {
    name: string;
    version: string;
    dependencies?: Record<string, string>;
    peerDependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  };
  return { folder, ...manifest };
});

test("the source files are found", () => {
  expect(shipped.length).toBeGreaterThan(200);
  const service = files.find(({ path }) => path === "packages/core/src/service/service.ts");
  expect(service?.imports.map(({ specifier }) => specifier)).toContain("../calls/execute.ts");
  expect(service?.imports.find(({ specifier }) => specifier === "zod")?.isType).toBe(true);
});

test("nothing outside core reaches past the use cases to a service's storage", () => {
  const past =
    /\bposthorn\??\.storage\b|\{[^{}]*\bstorage\b[^{}]*\} = (?:await )?\(?(?:await )?[\w.]*(?:posthorn|open)\b\(?/;
  const outside = shipped.filter(({ path }) => !/^packages\/(?:core|storage-)/.test(path));
  expect(outside.length).toBeGreaterThan(100);
  const wrong = outside.filter(({ path }) => past.test(readFileSync(join(root, path), "utf8")));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test("zod's inner namespaces are imported by name: of z.iso.date, webpack makes z.date", () => {
  const wrong = shipped.filter(({ path }) =>
    /\bz\.(?:iso|coerce)\b/.test(readFileSync(join(root, path), "utf8")),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

describe("imports", () => {
  test("a package imports only packages that its manifest names", () => {
    const wrong = manifests.flatMap(({ folder, name, dependencies, peerDependencies, devDependencies }) => {
      // The command is a bundle: bundled packages need not be installed beside it (tools/bundle-command.ts).
      const bundled = folder === "cli" ? devDependencies : {};
      const known = [name, ...Object.keys({ ...dependencies, ...peerDependencies, ...bundled })];
      return offences(
        under(`packages/${folder}/src/`).filter(({ path }) => !isContract(path)),
        ({ specifier, isType }) =>
          !/^(\.|node:)/.test(specifier) &&
          // Types of a library that a package does not depend on come from the host's own installation.
          !isType &&
          !known.some((one) => specifier === one || specifier.startsWith(`${one}/`)),
      );
    });
    expect(wrong).toEqual([]);
  });

  test("packages outside the command's bundle have the versions that our packages require", () => {
    const command = manifests.find(({ folder }) => folder === "cli")?.dependencies ?? {};
    const asked = manifests.flatMap(({ dependencies }) => Object.entries(dependencies ?? {}));
    expect(asked.filter(([name, range]) => (command[name] ?? range) !== range)).toEqual([]);
    expect(Object.keys(command)).toContain("better-sqlite3");
  });

  test("core imports no other package of this repository, no SQL, no SMTP and no HTTP server", () => {
    const foreign = /^(@posthorn\/|kysely|better-sqlite3|pg$|nodemailer|find-my-way|node:http$|node:https$)/;
    expect(offences(under("packages/core/src/"), ({ specifier }) => foreign.test(specifier))).toEqual([]);
  });

  test("rules/ and rendering/ import only each other, errors and pure libraries", () => {
    const pure = /^(node:(crypto|path|util|url|net|zlib)|ipaddr\.js|mime|otplib|postcss|uqr)$/;
    const isRule = (path: string): boolean => /^packages\/core\/src\/(\w+\/)?(rules|rendering)\//.test(path);
    const rules = under("packages/core/src/").filter(({ path }) => isRule(path));
    expect(rules.length).toBeGreaterThan(30);
    const wrong = offences(rules, ({ specifier, target }) =>
      target === undefined
        ? !pure.test(specifier)
        : !isRule(target) && target !== "packages/core/src/errors.ts",
    );
    expect(wrong).toEqual([]);
  });

  test("the client depends on nothing, Node included", () => {
    expect(manifests.find(({ folder }) => folder === "client")?.dependencies).toBeUndefined();
    const own = under("packages/client/src/");
    expect(own.length).toBeGreaterThan(10);
    expect(offences(own, ({ specifier }) => !specifier.startsWith("."))).toEqual([]);
    expect(
      own.filter(({ text }) => /\b(process|Buffer|global)\b\./.test(text)).map(({ path }) => path),
    ).toEqual([]);
  });

  test("core has its storage's types from one file", () => {
    const wrong = offences(
      under("packages/core/").filter(({ path }) => !path.startsWith("packages/core/src/ports/")),
      ({ target }) => target?.startsWith("packages/core/src/ports/storage/") === true,
    );
    expect(wrong).toEqual([]);
  });

  test("ports import only ports", () => {
    const wrong = offences(
      under("packages/core/src/ports/"),
      ({ target, isType }) => !isType && target?.startsWith("packages/core/src/ports/") !== true,
    );
    expect(wrong).toEqual([]);
  });

  test("adapters are loaded only by create-runtime.ts", () => {
    const isAdapter = (path: string): boolean =>
      /^packages\/core\/src\/(\w+\/adapters|content\/inlining)\//.test(path);
    const others = under("packages/core/src/").filter(
      ({ path }) => !isAdapter(path) && path !== "packages/core/src/service/create-runtime.ts",
    );
    const wrong = offences(
      others,
      ({ target, isType }) => !isType && target !== undefined && isAdapter(target),
    );
    expect(wrong).toEqual([]);
  });

  test("routes and wire formats do not reach the storage", () => {
    const outer = [
      ...under("packages/http/src/contract/routes/"),
      ...under("packages/http/src/contract/wire/"),
    ];
    expect(outer.length).toBeGreaterThan(10);
    expect(offences(outer, ({ specifier }) => /storage|repositor|node:/.test(specifier))).toEqual([]);
    expect(
      outer.filter(({ text }) => /\.(storage|repositories)\b/.test(text)).map(({ path }) => path),
    ).toEqual([]);
  });

  test("no file of a package imports outside its src", () => {
    const wrong = packages.flatMap(({ folder }) =>
      offences(
        under(`packages/${folder}/src/`),
        ({ target }) => target?.startsWith(`packages/${folder}/src/`) === false,
      ),
    );
    expect(wrong).toEqual([]);
  });

  test("packages do not depend on each other in a circle", () => {
    const graph = new Map(manifests.map(({ name, dependencies }) => [name, Object.keys(dependencies ?? {})]));
    expect(findCircle(graph)).toBeUndefined();
  });
});

/** Returns the first circle found, as a list of its members. */
function findCircle(graph: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (node: string, way: string[]): string[] | undefined => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node];
    if (done.has(node)) return undefined;
    done.add(node);
    for (const next of graph.get(node) ?? []) {
      const circle = visit(next, [...way, node]);
      if (circle !== undefined) return circle;
    }
    return undefined;
  };
  for (const node of graph.keys()) {
    const circle = visit(node, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

describe("the house rules", () => {
  test("every package has core's version", () => {
    expect(manifests.map((one) => `${one.folder} ${one.version}`)).toEqual(
      packages.map(({ folder }) => `${folder} ${version}`),
    );
  });

  test("every package includes the licence", () => {
    const licence = readFileSync(join(root, "LICENSE"), "utf8");
    for (const { folder } of packages)
      expect(readFileSync(join(root, "packages", folder, "LICENSE"), "utf8")).toBe(licence);
  });

  test("no default exports, no switched-off checks, no TODO", () => {
    const forbidden: [string, RegExp][] = [
      ["a default export", /^export default\b|^export \{[^}]*\bas default\b/m],
      ["an enum or a namespace", /^\s*(export )?(const )?(enum|namespace) [A-Z]/m],
      ["a switched-off check", /@ts-(ignore|nocheck)|biome-ignore|eslint-disable/],
      ["a TODO", /\b(TODO|FIXME|XXX)\b/],
      ["a tag where the docs have prose", /@(param|throws|returns?)\b/],
      ["a test that doesn't run", /\b(test|it|describe)\.(skip|only|todo)\b/],
    ];
    const found = files.flatMap(({ path, text }) =>
      forbidden.filter(([, pattern]) => pattern.test(text)).map(([what]) => `${path} has ${what}`),
    );
    expect(found).toEqual([]);
  });

  test("a file imports each module in one statement", () => {
    const found = files.flatMap(({ path, text }) => {
      const named = [...text.matchAll(/^import (?:type )?\{[^}]*\} from "([^"]+)";$/gm)].map(
        ([, from]) => from,
      );
      return named.filter((from, at) => named.indexOf(from) !== at).map((from) => `${path}: ${from}`);
    });
    expect(found).toEqual([]);
  });

  test("constants are in camelCase, like everything that is no type", () => {
    const found = shipped
      .filter(({ path }) => !isContract(path))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/^(?:export )?const ([A-Z][A-Z\d_]+)\b/gm)].map(([, name]) => `${path}: ${name}`),
      );
    expect(found).toEqual([]);
  });

  test("classes are errors only", () => {
    const found = shipped.flatMap(({ path, text }) =>
      [...text.matchAll(/^\s*(?:export )?class (\w+)(?: extends (\w+))?/gm)]
        .filter(([, , parent]) => parent?.endsWith("Error") !== true)
        .map(([, name]) => `${path}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  test("files are in kebab-case, and none has a catch-all name", () => {
    const names = files
      .map(({ path }) => path)
      .filter((path) => !/^[a-z\d]+(-[a-z\d]+)*(\.test)?\.ts$/.test(basename(path)));
    const drawers = files
      .map(({ path }) => path)
      .filter((path) => /(^|[/-])(utils?|helpers?|commons?|managers?|misc)(\.test)?\.ts$/.test(path));
    expect([...names, ...drawers]).toEqual([]);
  });

  test("there is no global state: nothing at module level that two services would share", () => {
    const found = shipped
      .filter(({ path }) => !isContract(path))
      .flatMap(({ path, text }) => {
        // Code in a template string is a page's own script.
        const code = text.replace(/`(?:[^`\\]|\\.)*`/gs, "``");
        return [...code.matchAll(/^(?:export )?let (\w+)/gm)].map(([, name]) => `${path}: ${name}`);
      });
    expect(found).toEqual([]);
  });

  test("the library reads no environment and listens to no signal", () => {
    const found = shipped
      .filter(({ folder }) => folder !== "cli")
      .filter(({ text }) => /process\.(env|argv|exit|on|once)\b/.test(text))
      .map(({ path }) => path);
    expect(found).toEqual([]);
  });
});
