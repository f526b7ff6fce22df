import { SourceMap, type SourceMapPayload } from "node:module";
import { basename, dirname, relative, resolve } from "node:path";
import { CliError } from "../program/errors/cli-error.ts";
import type { Project } from "./from-project.ts";

/** A component and its imports from the project, bundled into one module. */
export interface Bundle {
  path: string;
  code: string;
  /**
   * Returns the source of a line and a column of the code, each counted from 1, such as `mail/welcome.tsx:4`;
   * `undefined` if there is none.
   */
  originOf(line: number, column: number): string | undefined;
}

interface Bundler {
  build(options: object): Promise<{ outputFiles: { path: string; text: string }[] }>;
}

/** Error of esbuild. */
interface BuildFailure extends Error {
  errors?: { text: string; location: { file: string; line: number } | null }[];
}

/**
 * Bundles a component with the project's own esbuild, for a module at `path`. Throws a usage error with file and line.
 */
export async function bundleComponent(
  project: Project,
  { file, path }: { file: string; path: string },
): Promise<Bundle> {
  const { build } = (await project.load("esbuild")) as unknown as Bundler;
  const contents = `
    export * as template from "./${basename(file)}";
    export { createElement } from "react";
    export { render } from "@react-email/render";
  `;
  try {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: resolve(dirname(file)) },
      bundle: true,
      write: false,
      outfile: path,
      sourcemap: "external",
      sourcesContent: false,
      platform: "node",
      format: "esm",
      packages: "external",
      jsx: "automatic",
      logLevel: "silent",
    });
    const textOf = (end: string): string => outputFiles.find((each) => each.path.endsWith(end))?.text ?? "";
    const map = new SourceMap(JSON.parse(textOf(".map")) as SourceMapPayload);
    return {
      path,
      code: textOf(".mjs"),
      originOf(line, column) {
        const found = map.findEntry(line - 1, column - 1);
        if (!("originalSource" in found)) return undefined;
        const source = resolve(dirname(path), found.originalSource);
        return `${relative(process.cwd(), source)}:${found.originalLine + 1}`;
      },
    };
  } catch (error) {
    throw new CliError("usage", wordsOf(file, error as BuildFailure), undefined, { cause: error });
  }
}

function wordsOf(file: string, { message, errors: [first] = [] }: BuildFailure): string {
  const at = first?.location;
  return at ? `${at.file}:${at.line}: ${first?.text}` : `${file} can't be rendered: ${message}`;
}
