/** A setting of the command: its sources and its possible values (decisions §12). */
export interface Setting<T> {
  /** Name of the environment variable. */
  env: string;
  /** Flag, if there is one; never for a secret. */
  flag?: string;
  /** Placeholder of the value in the help. */
  value?: string;
  describes: string;
  /** Whether the value is masked when shown. */
  secret?: true;
  /** Whether the value may contain a secret, so that an error does not repeat it. */
  holdsSecret?: true;
  example: string;
  /** Another example, for a value that begins with this. */
  otherExample?: { start: RegExp; example: string };
  /** Parses the text; throws an Error that describes the fault. */
  read(text: string): T;
  fallback: T;
}

/**
 * Returns the name of the environment variable that names a file with the setting's value; `undefined` for settings that
 * hold no secret.
 */
export const secretFileOf = ({
  env,
  secret,
  holdsSecret,
}: Pick<Setting<unknown>, "env" | "secret" | "holdsSecret">): string | undefined =>
  secret || holdsSecret ? `${env}_FILE` : undefined;

/** Declares a required setting. */
export const setting = <T>(one: Setting<T>): Setting<T> => one;

/** Declares a setting that may be unset. */
export const optional = <T>(one: Omit<Setting<T>, "fallback">): Setting<T | undefined> => ({
  ...one,
  fallback: undefined,
});
