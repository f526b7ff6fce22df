import { CliError } from "../program/errors/cli-error.ts";

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/**
 * Returns the props with which to render a component so that placeholders stand where data will: each text and number
 * of its sample becomes `{{name}}`. True, false and null stay, because they determine what is rendered. Throws a usage
 * error for a list, whose length is unknown.
 */
export function placeholderProps(
  sample: Record<string, unknown>,
  { file, path = "" }: { file: string; path?: string },
): Record<string, unknown> {
  const entries = Object.entries(sample).map(([key, value]): [string, unknown] => {
    const name = `${path}${key}`;
    if (typeof value === "string" || typeof value === "number") return [key, `{{${name}}}`];
    if (isPlain(value)) return [key, placeholderProps(value, { file, path: `${name}.` })];
    if (typeof value === "boolean" || value === null || value === undefined) return [key, value];
    throw new CliError(
      "usage",
      `${file}: PreviewProps.${name} is ${Array.isArray(value) ? "a list" : "neither text, number nor object"}, which a placeholder can't show.`,
      `Write the section itself: {"{{#${name}}}"} … {"{{/${name}}}"}`,
    );
  });
  return Object.fromEntries(entries);
}
