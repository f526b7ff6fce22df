import { extname } from "node:path";
import { CliError } from "../program/errors/cli-error.ts";
import { readTextFile } from "./read-input.ts";

/** Parts of a mail. */
interface Content {
  html?: string;
  text?: string;
}

/** Reads the parts that options give. Throws a usage error for a part given twice, or if all are empty. */
export async function readContent({
  html,
  text,
  files,
}: Record<"html" | "text", string | undefined> & { files: readonly string[] }): Promise<Content> {
  const content: Content = {
    ...(html === undefined ? {} : { html: await readText(html) }),
    ...(text === undefined ? {} : { text: await readText(text) }),
  };
  for (const file of files) {
    const part = /^\.html?$/i.test(extname(file)) ? "html" : "text";
    if (content[part] !== undefined)
      throw new CliError("usage", `There is more than one ${part} part: ${file}.`);
    content[part] = await readTextFile(file);
  }
  const parts = Object.values(content);
  if (parts.length > 0 && parts.every((part) => part === ""))
    throw new CliError("usage", "There is no content: what was to be read for it is empty.");
  return content;
}

/** Reads a text given directly, as `@file`, or as `-` for standard input. */
const readText = async (given: string): Promise<string> =>
  given === "-" || given.startsWith("@") ? await readTextFile(given.replace(/^@/, "")) : given;
