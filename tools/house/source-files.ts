import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { packages } from "../packages.ts";

/** Root of the repository. */
export const root = resolve(import.meta.dirname, "../..");

/** A file of a package's `src`. */
export interface SourceFile {
  /** Path relative to the repository's root. */
  path: string;
  folder: string;
  text: string;
  imports: Import[];
}

export interface Import {
  specifier: string;
  /** Imported file, relative to the repository's root; `undefined` for another package. */
  target: string | undefined;
  /** Whether the import is removed with the types. */
  isType: boolean;
}

const statement =
  /^(?:import|export)\s+(type\s)?[^;"']*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\(\s*"([^"]+)"\s*\)/gm;

function readImports(path: string, text: string): Import[] {
  return [...text.matchAll(statement)].map(([, type, from, bare, dynamic]) => {
    const specifier = from ?? bare ?? dynamic ?? "";
    return {
      specifier,
      target: specifier.startsWith(".") ? join(dirname(path), specifier) : undefined,
      isType: type !== undefined,
    };
  });
}

const isTest = (path: string): boolean => path.endsWith(".test.ts");
/** The storage contract consists of tests, though every storage imports it. */
export const isContract = (path: string): boolean => path.includes("/testing/contract/");

/** All files of all packages, including tests. */
export const files: SourceFile[] = packages.flatMap(({ folder }) =>
  globSync(`packages/${folder}/src/**/*.ts`, { cwd: root }).map((path) => {
    const text = readFileSync(join(root, path), "utf8");
    return { path, folder, text, imports: readImports(path, text) };
  }),
);
/** Files without tests. */
export const shipped = files.filter(({ path }) => !isTest(path));
