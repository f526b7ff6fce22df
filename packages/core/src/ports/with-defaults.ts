/** Options of which each may be left out, or be `undefined`. */
export type Optional<T> = { [K in keyof T]?: T[K] | undefined };

/** Completes options by their defaults. One that is `undefined` counts as left out, which a spread does not see. */
export function withDefaults<T extends object>(defaults: T, given: Optional<T> | undefined): T {
  const whole = { ...defaults };
  for (const name in given) {
    const value = given[name];
    if (value !== undefined) whole[name] = value;
  }
  return whole;
}
