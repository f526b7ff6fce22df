import { execFile } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exitCodes } from "../packages/cli/src/program/errors/exit-codes.ts";
import { installCommand } from "../packages/cli/test/install-command.ts";
import { type Block, isCode, isOutput, moduleName, moduleOf, readBlocks } from "./docs/read-blocks.ts";
import { routeTable } from "./docs/route-table.ts";
import { guides } from "./pack-guides.ts";
import { openLanguageServer } from "./verbs/language-server.ts";

const execute = promisify(execFile);
const root = resolve(import.meta.dirname, "..");
const files = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  ...globSync("{docs,packages/*}/*.md", { cwd: root }).sort(),
];
const blocks = new Map(files.map((file) => [file, readBlocks(root, file)]));

/** Blocks that are not run, each with the reason. */
const shownOnly: Record<string, string> = {
  "ARCHITECTURE.md text": "a drawing of the packages",
  "docs/operations.md ini": "a systemd unit: there is no systemd here to run it",
  "docs/operations.md console":
    "an installation as root, and PostgreSQL's own tool on a server that the reader has",
  "docs/batches.md console": "a file of e-mails that the reader has",
  "docs/sending.md console": "e-mails that failed at a mail server that the reader has",
  "docs/security.md console": "a key that leaked, and what it had queued",
  "docs/command-line.md console": "a server elsewhere, with a key and a login that the reader has",
  "docs/embedding.md js": "middleware of frameworks that are not installed here",
  "docs/campaigns.md console": "a list of recipients that the reader has",
  "docs/campaigns.md text": "a drawing of a campaign's states",
  "docs/security.md python": "run by other-languages.test.ts, where there is Python",
  "docs/security.md php": "run by other-languages.test.ts, where there is PHP",
  "docs/faults.md console": "faults that take minutes to hours",
  "packages/storage-postgres/README.md js": "a PostgreSQL that the reader has; its tests run on one",
  "docs/scaling.md console":
    "a server that the reader has; the tests of the copy run it on a real PostgreSQL",
};

/**
 * Folder of the modules: outside node_modules, where Node strips no types, and inside the repository, so that packages
 * resolve.
 */
let modules = "";
let results: Record<string, string> = {};

let typeFaults = "";

beforeAll(async () => {
  mkdirSync(join(root, ".tmp"), { recursive: true });
  modules = mkdtempSync(join(root, ".tmp/docs-"));
  const run = ["--conditions=posthorn-source", "--no-warnings", join(root, "tools/run-docs.ts"), modules];
  const [{ stdout }, faults] = await Promise.all([
    execute(process.execPath, [...run, ...files], {
      env: { ...process.env, SECRET_KEY: "the key of the documents' services, 4711" },
      maxBuffer: 16 * 1024 * 1024,
    }),
    findTypeFaults(join(modules, "types")),
  ]);
  results = JSON.parse(stdout);
  typeFaults = faults;
}, 600_000);
afterAll(() => rmSync(modules, { recursive: true, force: true }));

for (const [file, own] of blocks) {
  const checked = own.filter((block) => isCode(block) || isOutput(block));
  if (checked.length === 0) continue;
  describe(file, () => {
    test.each(checked.map((block) => [block.line, block]))(
      "the block at line %i does what the text says",
      (line) => {
        expect(results[`${file}:${line}`]).toBe("");
      },
    );
  });
}

test("every block is run, compared, or exempted with a reason", () => {
  const isChecked = (block: Block, before: Block | undefined): boolean =>
    isCode(block) || (isOutput(block) && before !== undefined && isCode(before));
  const others = [...blocks].flatMap(([file, own]) =>
    own.flatMap((block, at) => (isChecked(block, own[at - 1]) ? [] : `${file} ${block.language}`)),
  );
  expect([...new Set(others)].sort()).toEqual(Object.keys(shownOnly).sort());
});

test("the documented unit starts the process itself, with enough time to stop, and as often as it takes", () => {
  const unit = readBlocks(root, "docs/operations.md").find(({ language }) => language === "ini");
  const settings = new Map(
    (unit?.text ?? "")
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const { bin } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8"));
  const [program, flag, file, ...words] = settings.get("ExecStart")?.split(" ") ?? [];
  // Through npx, systemd would signal npx and leave the service running.
  expect(program).toMatch(/\/node$/);
  expect(flag).toBe("--disable-sigusr1");
  expect(file).toBe(`/opt/posthorn/node_modules/posthorn/${bin.posthorn.replace(/^\.\//, "")}`);
  expect(words).toEqual(["serve"]);
  // SIGTERM is sent to the process alone, which ends within 30 s.
  expect(settings.get("KillMode")).toBe("mixed");
  expect(Number(settings.get("TimeoutStopSec"))).toBeGreaterThan(30);
  // By default systemd gives up after five starts within ten seconds: a database that is away for longer is no reason to.
  expect(settings.get("Restart")).toBe("always");
  expect(settings.get("StartLimitIntervalSec")).toBe("0");
  expect(settings.get("RestartPreventExitStatus")).toBe(`${exitCodes.usage} ${exitCodes.conflict}`);
});

test("the modules have the types they need", () => {
  expect(typeFaults).toBe("");
});

/**
 * Returns the compiler's errors in the documents' modules, which are as deep in the tree as its configuration expects.
 * The language server reads the packages' sources only as far as the modules need them, and needs no build of them.
 */
async function findTypeFaults(folder: string): Promise<string> {
  mkdirSync(folder);
  const paths: string[] = [];
  for (const own of blocks.values())
    for (const block of own.filter(({ language }) => language === "ts")) {
      const code = moduleOf(block, own);
      if (code === undefined) continue;
      const path = join(folder, moduleName(block));
      writeFileSync(path, code);
      paths.push(relative(root, path));
    }
  const config = {
    extends: "../../../tsconfig.base.json",
    compilerOptions: {
      noEmit: true,
      composite: false,
      declaration: false,
      declarationMap: false,
      emitDeclarationOnly: false,
      rewriteRelativeImportExtensions: false,
      allowImportingTsExtensions: true,
    },
    include: ["*.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const server = await openLanguageServer();
  try {
    return (await Promise.all(paths.map((path) => server.errorsIn(path)))).flat().join("\n");
  } finally {
    server.close();
  }
}

test("every link to a file resolves", () => {
  const texts = [...files, ...globSync("{*,examples/*,packages/*/*}.md", { cwd: root })];
  const dead = [...new Set(texts)].flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/\]\(([^)#]+?)(?:#[^)]*)?\)/g)]
      .map(([, target]) => target ?? "")
      .filter((target) => !/^\w+:/.test(target) && !existsSync(join(root, dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  );
  expect(dead).toEqual([]);
});

test("every row of a table has its header's cells: a bar within code ends a cell, too", () => {
  const texts = [...files, ...globSync("{*,docs/spec/*,examples/*,packages/*/*}.md", { cwd: root })];
  const torn = [...new Set(texts)].flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8").replaceAll(/^```.*?^```/gms, "");
    return [...text.matchAll(/^\|.*(?:\n\|.*)*/gm)].flatMap(([table]) => {
      const [head = 0, ...rows] = table.split("\n").map((row) => row.match(/(?<!\\)\|/g)?.length);
      return rows.flatMap((bars, at) => (bars === head ? [] : [`${file}: ${table.split("\n")[at + 1]}`]));
    });
  });
  expect(torn).toEqual([]);
});

test("what the guides link to is packed with them; the tests that the list of faults names are not", () => {
  const packed = guides();
  const dead = packed
    .filter((path) => path.startsWith("docs/"))
    .flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/\]\(([^)#\s]+?)(?:#[^)]*)?\)/g)]
        .map(([, target]) => target ?? "")
        .filter((target) => !/^\w+:/.test(target))
        .map((target) => relative(root, resolve(root, dirname(file), target)))
        .filter((target) => !packed.some((path) => path === target || path.startsWith(`${target}/`)))
        .map((target) => `${file}: ${target}`),
    );
  expect(
    dead.filter((link) => !/^docs\/faults\.md: .*(?:\.test\.ts|\/contract\/.*\.ts)$/.test(link)),
  ).toEqual([]);
});

describe("the list of faults", () => {
  const text = readFileSync(join(root, "docs/faults.md"), "utf8");
  // Five cells: tables of figures have fewer.
  const rows = text.split("\n").filter((line) => /^\|(?! No\. |---)(?:.*\|){5}$/.test(line));

  test("names existing tests, at least one for each fault", () => {
    const isTitleIn = (file: string, name: string): boolean =>
      readFileSync(join(root, "docs", file), "utf8")
        .split("\n")
        .some((line) => line.includes(name) && /^[^/*]*["`]/.test(line));
    const testsOf = (row: string): string[][] => [...row.matchAll(/\[([^\]]+)\]\((\S+\.test\.ts)\)/g)];
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.filter((row) => testsOf(row).length === 0)).toEqual([]);
    const missing = rows
      .flatMap(testsOf)
      .filter(([, name = "", file = ""]) => !isTitleIn(file, name))
      .map(([link]) => link);
    expect(missing).toEqual([]);
  });

  test("covers every fault that reliability.md numbers", () => {
    const reliability = readFileSync(join(root, "docs/spec/reliability.md"), "utf8");
    const numbers = [...reliability.matchAll(/^\| (F\d+) \|/gm)].map(([, number = ""]) => number);
    expect(numbers.length).toBe(35);
    const covered = rows.flatMap((row) => row.split("|")[1]?.match(/F\d+/g) ?? []);
    expect(numbers.filter((number) => !covered.includes(number))).toEqual([]);
  });
});

test("the README has at most 72 lines", () => {
  expect(readFileSync(join(root, "README.md"), "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(72);
});

test("docs/api.md lists every route: else run `npm run docs:routes`", () => {
  const text = readFileSync(join(root, "docs/api.md"), "utf8");
  expect(/<!-- routes -->\n(.*?)\n<!-- end -->/s.exec(text)?.[1]).toBe(routeTable());
});

test("docs/command-line.md names every command", async () => {
  const text = readFileSync(join(root, "docs/command-line.md"), "utf8");
  const { stdout } = await execute(process.execPath, [installCommand(), "completion", "bash"]);
  const paths = [...stdout.matchAll(/^ {4}"posthorn ([\w -]+)"\)/gm)].map(([, path]) => path ?? "");
  expect(paths.length).toBeGreaterThan(40);
  const isNamed = (path: string): boolean => {
    const [noun = "", verb] = path.split(" ");
    const row = text.split("\n").find((line) => line.startsWith(`| \`${noun}\``));
    return row !== undefined && (verb === undefined || row.includes(`\`${verb}`));
  };
  expect(
    paths.filter((path) => !path.endsWith("help") && !/^completion |--/.test(path) && !isNamed(path)),
  ).toEqual([]);
});

test("docs/command-line.md names every setting", async () => {
  const { settings } = await import("../packages/cli/src/program/settings/settings.ts");
  const text = readFileSync(join(root, "docs/command-line.md"), "utf8");
  expect(Object.values(settings).filter(({ env }) => !text.includes(`\`${env}\``))).toEqual([]);
});
