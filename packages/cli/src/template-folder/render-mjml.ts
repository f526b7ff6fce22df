import { readFile } from "node:fs/promises";
import { CliError } from "../program/errors/cli-error.ts";
import { textOf } from "../terminal/text-of.ts";
import { projectOf } from "./from-project.ts";
import type { LocalTemplate } from "./local-template.ts";

type Convert = (
  source: string,
  options: { filePath: string; validationLevel: "strict" },
) => { html: string } | Promise<{ html: string }>;

/**
 * Renders MJML with the project's own `mjml`, version 4 or 5. Throws a usage error if that is missing, or refuses the
 * file.
 */
export async function renderMjml(file: string): Promise<LocalTemplate> {
  const { default: convert } = (await projectOf(file).load("mjml")) as { default: Convert };
  try {
    const { html } = await convert(textOf(await readFile(file)), {
      filePath: file,
      validationLevel: "strict",
    });
    return { html };
  } catch (error) {
    throw new CliError("usage", wordsOf(file, error as Error & { errors?: Fault[] }), undefined, {
      cause: error,
    });
  }
}

/** A fault that MJML's validation reports. */
interface Fault {
  line: number;
  message: string;
}

const wordsOf = (file: string, { message, errors = [] }: Error & { errors?: Fault[] }): string =>
  errors.length === 0
    ? `${file} can't be rendered: ${message}`
    : errors.map((fault) => `${file}:${fault.line}: ${fault.message}`).join("\n");
