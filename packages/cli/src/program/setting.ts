/** One setting of the command: where it can come from, and what it may be (decisions §12). */
export interface Setting<T> {
  /** Environment name. */
  env: string;
  /** Flag, where there is one: never for a secret. */
  flag?: string;
  /** Word for the value, in the help. */
  value?: string;
  describes: string;
  /** Shown masked. */
  secret?: true;
  /** May hold a secret among other things: not repeated where it is wrong. */
  holdsSecret?: true;
  example: string;
  /** Reads a text; throws an Error that says what is wrong with it. */
  read(text: string): T;
  fallback: T;
}

/** A setting as it stands in the table. */
export const setting = <T>(one: Setting<T>): Setting<T> => one;

/** One that may be unset. */
export const optional = <T>(one: Omit<Setting<T>, "fallback">): Setting<T | undefined> => ({
  ...one,
  fallback: undefined,
});
