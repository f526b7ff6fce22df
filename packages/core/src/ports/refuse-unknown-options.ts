/** The names of a type's options: none can be missing. */
export type OptionNames<T> = Record<keyof T, true>;

/**
 * Throws a `TypeError` that names an unknown option, for hosts without types: its default would be in force instead.
 * `prefix` is that of the names in the message, such as `worker.`.
 */
export function refuseUnknownOptions<T extends object>(
  given: T,
  known: Record<keyof T, unknown>,
  prefix = "",
): void {
  const name = Object.keys(given).find((key) => !Object.hasOwn(known, key));
  if (name === undefined) return;
  const there = Object.keys(known).map((key) => prefix + key);
  throw new TypeError(`there is no option ${prefix}${name}; the options are ${there.join(", ")}`);
}
