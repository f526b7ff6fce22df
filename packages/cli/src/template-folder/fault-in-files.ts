import { basename, extname } from "node:path";
import type { FieldFault } from "@posthorn/core";
import { CliError } from "../program/errors/cli-error.ts";
import { isSentence, toCliError } from "../program/errors/to-cli-error.ts";
import type { Change, Diff } from "./apply-changes.ts";
import { lineOfKey } from "./parse-details.ts";
import type { Folder, FolderFile } from "./read-folder.ts";

/** Extensions of the files that may contain a field; the first that exists is used. */
const extensionsOf: Readonly<Record<string, readonly string[]>> = {
  html: [".html", ".tsx", ".jsx", ".mjml"],
  text: [".txt"],
  css: [".css"],
};

/**
 * Wraps changes so that their errors name the file at fault, and the line if known, and their differences the source
 * that was rendered in place of a file.
 */
export function namingFiles(changes: readonly Change[], { files }: Pick<Folder, "files">): Change[] {
  return changes.map((change) => {
    const rethrow = (error: unknown): never => {
      throw faultInFiles(error, files.get(change.name) ?? []);
    };
    return {
      ...change,
      diffs: change.diffs.map((diff) => nameSource(diff, files.get(change.name) ?? [])),
      apply: () => change.apply().catch(rethrow),
      check: async () => await change.check?.().catch(rethrow),
    };
  });
}

const partOf: Readonly<Record<string, Diff["part"]>> = {
  ".html": "html",
  ".txt": "text",
  ".json": "details",
};

/** Names the source of a difference, if the folder has no such file but one that was rendered in its place. */
function nameSource(diff: Diff, files: readonly FolderFile[]): Diff {
  const extension = extname(diff.file);
  const source = files.some((file) => file.extension === extension) ? undefined : files.find(isRendered);
  return source === undefined ? diff : { ...diff, file: basename(source.path), part: partOf[extension] };
}

function faultInFiles(error: unknown, files: readonly FolderFile[]): unknown {
  const { code, details } = error as { code?: unknown; details?: unknown };
  if (code !== "validation_failed" || !Array.isArray(details)) return error;
  const told = (details as FieldFault[]).map((fault) => placeFault(fault, files));
  const { failure, hint } = toCliError(error);
  return new CliError(failure, told.join("\n"), hint, { cause: error });
}

/**
 * Returns a fault with its place, such as `mail/welcome.html:3:9: Section "items" is never closed.`, or with the field
 * if no file contains it.
 */
function placeFault({ path, message }: FieldFault, files: readonly FolderFile[]): string {
  const [field = ""] = path.split(".");
  const wanted = extensionsOf[field];
  const file = files.find(({ extension }) => (wanted ?? [".json", ".tsx", ".jsx"]).includes(extension));
  const told = isSentence(message) ? `: ${message}` : ` ${message}`;
  if (file === undefined) return `${path}${told}`;
  if (wanted === undefined) {
    const line = file.extension === ".json" ? lineOfKey(file.source, field) : undefined;
    return `${file.path}${line === undefined ? "" : `:${line}`}: ${field}${told}`;
  }
  // Rendered output has other line numbers than its source.
  if (isRendered(file)) return `${file.path}: its output${told}`;
  const place = / \(line (\d+), column (\d+)\)/.exec(message);
  if (place === null) return `${file.path}: ${message}`;
  return `${file.path}:${place[1]}:${place[2]}: ${message.replace(place[0], "")}`;
}

const isRendered = ({ extension }: FolderFile): boolean => [".tsx", ".jsx", ".mjml"].includes(extension);
