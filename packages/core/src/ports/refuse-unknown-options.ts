/** The names of a type's options: none can be missing. */
export type OptionNames<T> = Record<keyof T, true>;

/** Returns the name of an option that there is not, if one is given. */
export function findUnknownOption<T extends object>(
  given: T,
  known: Record<keyof T, unknown>,
): string | undefined {
  for (const name in given) if (!Object.hasOwn(known, name)) return name;
  return undefined;
}

/**
 * Throws a `TypeError` that names an unknown option, or unless they are an object, for hosts without types: its default would be in force instead.
 * `prefix` is that of the names in the message, such as `worker.`.
 */
export function refuseUnknownOptions<T extends object>(
  given: T,
  known: Record<keyof T, unknown>,
  prefix = "",
): void {
  const there = Object.keys(known).map((key) => prefix + key);
  if (typeof given !== "object" || given === null)
    throw new TypeError(`${prefix.slice(0, -1) || "options"} must be an object with ${there.join(", ")}`);
  const name = findUnknownOption(given, known);
  if (name === undefined) return;
  throw new TypeError(`there is no option ${prefix}${name}; the options are ${there.join(", ")}`);
}
