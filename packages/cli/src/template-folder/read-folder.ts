import { type Dirent, existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { CliError } from "../program/errors/cli-error.ts";
import { throwUnreadable } from "../program/errors/file-fault.ts";
import { readTextFile } from "../terminal/read-input.ts";
import { nameOfStem } from "./file-names.ts";
import type { LocalTemplate } from "./local-template.ts";
import { parseDetails } from "./parse-details.ts";

export interface Folder {
  templates: Map<string, LocalTemplate>;
  /** CSS by stylesheet name. */
  stylesheets: Map<string, string>;
  /** Files of each template by name, in order of precedence. */
  files: Map<string, FolderFile[]>;
}

export interface FolderFile {
  path: string;
  extension: string;
  /** Text of the file. */
  source: string;
}

/** A fault in a file, and the template that it belongs to. */
export interface FolderFault {
  name: string;
  error: unknown;
}

export interface Reading {
  /** Takes the faults of templates, which are then left out. Default: the first is thrown. */
  onFault?: (fault: FolderFault) => void;
  /** Whether a file is read, and rendered. Default: every one. */
  isWanted?: (file: { name: string; extension: string }) => boolean;
}

type Render = (file: string) => Promise<LocalTemplate>;

/** Renderers by file extension, which use the project's own packages. */
const renderers: Readonly<Record<string, () => Promise<Render>>> = {
  ".tsx": async () => (await import("./render-react.ts")).renderReact,
  ".jsx": async () => (await import("./render-react.ts")).renderReact,
  ".mjml": async () => (await import("./render-mjml.ts")).renderMjml,
};

const isSource = (file: string): boolean => Object.hasOwn(renderers, extname(file));

/**
 * Reads a folder of `name.html`, `name.txt`, `name.json` and `*.css`; `name.tsx`, `name.jsx` and `name.mjml` are
 * rendered. The first three take precedence over rendered parts. Throws `not_found` for a missing folder, and a usage
 * error for an invalid file.
 */
export async function readFolder(
  path: string,
  { onFault, isWanted = () => true }: Reading = {},
): Promise<Folder> {
  const folder: Folder = { templates: new Map(), stylesheets: new Map(), files: new Map() };
  const faulty = new Set<string>();
  const leaveOut = (name: string, error: unknown): void => {
    if (onFault === undefined) throw error;
    onFault({ name, error });
    faulty.add(name);
  };
  for (const file of await listFiles(path)) {
    const extension = extname(file);
    if (!isSource(file) && ![".html", ".txt", ".css", ".json"].includes(extension)) continue;
    const name = nameOfStem(file.slice(0, -extension.length));
    if (!isWanted({ name, extension })) continue;
    const source = await readTextFile(join(path, file)).catch((error: unknown) => leaveOut(name, error));
    if (source === undefined) continue;
    if (extension === ".css") folder.stylesheets.set(name, source);
    const files = folder.files.get(name) ?? [];
    folder.files.set(name, [...files, { path: join(path, file), extension, source }]);
  }
  for (const [name, files] of folder.files) {
    if (faulty.has(name)) continue;
    try {
      const template = await readTemplate(name, files);
      if (template !== undefined) folder.templates.set(name, template);
    } catch (error) {
      leaveOut(name, error);
    }
  }
  return folder;
}

/**
 * Reads a template's files; `undefined` for a JSON file without html or text, which is something else, such as a
 * package.json.
 */
async function readTemplate(name: string, files: readonly FolderFile[]): Promise<LocalTemplate | undefined> {
  const html = files.filter(({ extension }) => extension === ".html" || Object.hasOwn(renderers, extension));
  const [first, second] = html;
  if (first !== undefined && second !== undefined)
    throw new CliError(
      "usage",
      `${second.path} and ${basename(first.path)} both have the html of "${name}".`,
    );
  const text = files.find(({ extension }) => extension === ".txt");
  if (first === undefined && text === undefined) return undefined;
  const details = files.find(({ extension }) => extension === ".json");
  const render = first && (await renderers[first.extension]?.());
  return {
    ...(first === undefined ? {} : render === undefined ? { html: first.source } : await render(first.path)),
    ...(text === undefined ? {} : { text: text.source }),
    ...(details === undefined ? {} : parseDetails(details.source, details.path)),
  };
}

/** Lists a folder's files; empty for a missing folder. */
export async function listSources(path: string): Promise<string[]> {
  return existsSync(path) ? (await listFiles(path)).filter(isSource) : [];
}

async function listFiles(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    const names = entries.map(async (entry) => ((await isFile(path, entry)) ? [entry.name] : []));
    return (await Promise.all(names)).flat().sort();
  } catch (error) {
    return throwUnreadable(error, "folder", path);
  }
}

/** Whether it is a file, or a link to one. Links to nothing are editors' locks. */
async function isFile(folder: string, entry: Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isFile();
  const found = await stat(join(folder, entry.name)).catch(() => undefined);
  return found?.isFile() === true;
}
