import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { CliError } from "../program/cli-error.ts";
import { nameOfStem } from "./file-names.ts";

/** A template as its files say; what no file says is `undefined`. */
export interface LocalTemplate {
  html?: string;
  text?: string;
  subject?: string;
  description?: string;
  defaultLanguage?: string;
  sampleData?: Record<string, unknown>;
}

export interface Folder {
  templates: Map<string, LocalTemplate>;
  /** CSS by name. */
  stylesheets: Map<string, string>;
}

type Render = (file: string) => Promise<LocalTemplate>;

/** Files that html is made of, by the project's own packages. */
const renderers: Readonly<Record<string, () => Promise<Render>>> = {
  ".tsx": async () => (await import("./render-react.ts")).renderReact,
  ".jsx": async () => (await import("./render-react.ts")).renderReact,
  ".mjml": async () => (await import("./render-mjml.ts")).renderMjml,
};

const isSource = (file: string): boolean => Object.hasOwn(renderers, extname(file));

/**
 * Reads a folder of `name.html`, `name.txt`, `name.json` and `*.css`; `name.tsx`, `name.jsx` and `name.mjml` are rendered. What the first
 * three say goes before what comes of rendering. Throws `not_found` for no folder, a usage error for a bad file.
 */
export async function readFolder(path: string): Promise<Folder> {
  const folder: Folder = { templates: new Map(), stylesheets: new Map() };
  const details = new Map<string, LocalTemplate>();
  const sources = new Map<string, string>();
  for (const file of await listFiles(path)) {
    const extension = extname(file);
    const name = nameOfStem(file.slice(0, -extension.length));
    const read = (): Promise<string> => readFile(join(path, file), "utf8");
    const add = (fields: LocalTemplate): void =>
      void folder.templates.set(name, { ...folder.templates.get(name), ...fields });
    if (extension === ".html") add({ html: await read() });
    else if (extension === ".txt") add({ text: await read() });
    else if (extension === ".css") folder.stylesheets.set(name, await read());
    else if (isSource(file)) {
      const former = sources.get(name);
      if (former !== undefined || folder.templates.get(name)?.html !== undefined)
        throw new CliError(
          "usage",
          `${join(path, file)} and ${former ?? `${file.slice(0, -extension.length)}.html`} both say the html of "${name}".`,
        );
      sources.set(name, file);
    } else if (extension === ".json") details.set(name, parseDetails(await read(), join(path, file)));
  }
  for (const [name, file] of sources) {
    const render = await renderers[extname(file)]?.();
    folder.templates.set(name, { ...(await render?.(join(path, file))), ...folder.templates.get(name) });
  }
  // A JSON file beside neither html nor text is something else, such as a package.json.
  for (const [name, template] of folder.templates) {
    folder.templates.set(name, { ...template, ...details.get(name) });
  }
  return folder;
}

/** The files of a folder that html is made of; none of a folder that is not there. */
export async function listSources(path: string): Promise<string[]> {
  return existsSync(path) ? (await listFiles(path)).filter(isSource) : [];
}

async function listFiles(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new CliError(
      missing ? "not_found" : "failed",
      missing ? `There is no folder ${path}.` : `${path} can't be read: ${(error as Error).message}.`,
    );
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parseDetails(text: string, file: string): LocalTemplate {
  const bad = (fault: string): CliError =>
    new CliError(
      "usage",
      `${file} ${fault}.`,
      'An example: {"subject": "Welcome, {{name}}", "description": "", "default_language": "en", "sample_data": {"name": "Ada"}}',
    );
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw bad(`is no JSON: ${(error as Error).message}`);
  }
  if (!isObject(parsed)) throw bad("must hold an object");
  const template: LocalTemplate = {};
  for (const [key, value] of Object.entries(parsed)) {
    if (key === "sample_data" && isObject(value)) template.sampleData = value;
    else if (key === "subject" && typeof value === "string") template.subject = value;
    else if (key === "description" && typeof value === "string") template.description = value;
    else if (key === "default_language" && typeof value === "string") template.defaultLanguage = value;
    else throw bad(`has a bad or unknown field "${key}"`);
  }
  return template;
}
