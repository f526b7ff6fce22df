import { inexactFault, isJsonObject } from "@posthorn/core/internal";
import { CliError } from "../program/errors/cli-error.ts";
import type { LocalTemplate } from "./local-template.ts";

const isText = (value: unknown): value is string => typeof value === "string";

/** Parses a template's `name.json`. Throws a usage error with file and line. */
export function parseDetails(source: string, file: string): LocalTemplate {
  const bad = (fault: string, line: number | undefined): CliError =>
    new CliError(
      "usage",
      `${file}${line === undefined ? "" : `:${line}`} ${fault}.`,
      'An example: {"subject": "Welcome, {{name}}", "description": "", "default_language": "en", "sample_data": {"name": "Ada"}}',
    );
  let parsed: unknown;
  try {
    parsed = JSON.parse(source);
  } catch (error) {
    const { message } = error as Error;
    throw bad(
      `is not valid JSON: ${message.replace(/ in JSON at position .*| \(line \d.*/, "")}`,
      lineOfFault(source, message),
    );
  }
  const fault = inexactFault(source);
  if (fault !== undefined) throw bad(fault, undefined);
  if (!isJsonObject(parsed)) throw bad("must contain an object", 1);
  const template: LocalTemplate = {};
  for (const [key, value] of Object.entries(parsed)) {
    if (key === "sample_data" && isJsonObject(value)) template.sampleData = value;
    else if (key === "subject" && isText(value)) template.subject = value;
    else if (key === "description" && isText(value)) template.description = value;
    else if (key === "default_language" && isText(value)) template.defaultLanguage = value;
    else throw bad(`has an invalid or unknown field "${key}"`, lineOfKey(source, key));
  }
  return template;
}

/** Returns the line, counted from 1, at which the parser stopped; the last line for an incomplete text. */
function lineOfFault(source: string, message: string): number | undefined {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return source.slice(0, Number(position)).split("\n").length;
  return /end of JSON/.test(message) ? source.trimEnd().split("\n").length : undefined;
}

/** Returns the line, counted from 1, of a field's name. */
export function lineOfKey(source: string, key: string): number | undefined {
  const at = source.indexOf(JSON.stringify(key));
  return at < 0 ? undefined : source.slice(0, at).split("\n").length;
}
