import { readFile } from "node:fs/promises";
import { CliError } from "../program/cli-error.ts";
import { projectOf } from "./from-project.ts";
import type { LocalTemplate } from "./read-folder.ts";

type Convert = (
  source: string,
  options: { filePath: string; validationLevel: "strict" },
) => { html: string } | Promise<{ html: string }>;

/** Renders MJML by the project's own `mjml`, version 4 or 5. Throws a usage error where that is missing, or refuses the file. */
export async function renderMjml(file: string): Promise<LocalTemplate> {
  const { default: convert } = (await projectOf(file).load("mjml")) as { default: Convert };
  try {
    const { html } = await convert(await readFile(file, "utf8"), {
      filePath: file,
      validationLevel: "strict",
    });
    return { html };
  } catch (error) {
    throw new CliError("usage", `${file} can't be rendered: ${(error as Error).message}`, undefined, {
      cause: error,
    });
  }
}
