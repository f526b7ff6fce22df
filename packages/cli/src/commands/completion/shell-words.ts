import type { Flag, Place, Value, Word } from "./list-places.ts";

export const names = (words: readonly Word[]): string => words.map(({ name }) => name).join(" ");

/** Text that finds a path between vertical bars. */
export const pathList = (places: readonly Place[]): string =>
  `"|${places.map(({ path }) => path).join("|")}|"`;

export const isAt = ({ path }: Place, { isCommon }: Flag): boolean => !isCommon || path === "posthorn";

/** A bash and zsh function that tests whether the option at the end of a path takes a value. */
export function valueTest(places: readonly Place[]): string {
  const patterns = places.flatMap((place) =>
    place.flags
      .filter((one) => one.takesValue && isAt(place, one))
      .map(({ name, isCommon }) => (isCommon ? `*" ${name}"` : `"${place.path} ${name}"`)),
  );
  return patternTest("_posthorn_takes_value", patterns);
}

/** A bash and zsh function that tests whether its argument is one of the shell's patterns. */
const patternTest = (name: string, patterns: readonly string[]): string => `${name}() {
  case "$1" in
    ${patterns.join(" | \\\n    ")}) return 0 ;;
  esac
  return 1
}`;

export const canBe = ({ choices, kind }: Value): boolean => choices.length > 0 || kind !== undefined;

/** Where a value may stand, as a shell's pattern: after a path and an option, or a path and an argument's position. */
const valuesOf = (places: readonly Place[]): { at: string; value: Value }[] =>
  places.flatMap((place) => [
    ...place.flags
      .filter((one) => isAt(place, one))
      .map(({ name, isCommon, value }) => ({
        at: isCommon ? `*" ${name}"` : `"${place.path} ${name}"`,
        value,
      })),
    ...place.args.map((value, at) => ({ at: `"${place.path} ${at}"`, value })),
  ]);

/** A bash and zsh function that tests whether a value is a path: elsewhere, files are not offered. */
export function pathTest(places: readonly Place[]): string {
  const patterns = valuesOf(places).flatMap(({ at, value }) => (value.isPath ? at : []));
  return patternTest("_posthorn_takes_path", patterns);
}

/**
 * A bash and zsh function that writes a value's candidates, one per line. Names may be anybody's input and must never
 * be evaluated: they are only read as lines.
 */
export function valueWriter(places: readonly Place[]): string {
  const write = ({ choices, kind }: Value): string =>
    kind === undefined
      ? `printf '%s\\n' ${choices.join(" ")}`
      : `posthorn completion names ${kind} "\${@:2}" 2>/dev/null`;
  const lines = valuesOf(places).filter(({ value }) => canBe(value));
  return `_posthorn_values() {
  case "$1" in
${lines.map(({ at, value }) => `    ${at}) ${write(value)} ;;`).join("\n")}
  esac
}`;
}

/** Options that determine where names are looked up. */
export const scopeOptions = ["--workspace", "--profile", "--database-url", "--environment-file"];
export const scopes = scopeOptions.map((name) => `*" ${name}"`).join(" | ");

/** A text in single quotes, valid in all three shells. */
export function quote(text: string): string {
  return `'${text.replaceAll("\n", " ").replaceAll("'", "’")}'`;
}
