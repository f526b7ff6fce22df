import { passwordFault } from "../../domain/passwords.ts";
import { fieldError, ServiceError } from "../../errors.ts";
import type { Config } from "../../options.ts";
import type { Runtime } from "../../runtime.ts";

interface Means {
  runtime: Pick<Runtime, "passwords">;
  config: Pick<Config, "passwordMinLength">;
}

/**
 * The hash of a new password; throws `validation_failed` for one that breaks the rules of decisions §2, or that is the name or
 * address of its `owner`, where the owner is known.
 */
export async function hashNewPassword(
  { runtime, config }: Means,
  password: string,
  owner: { email?: string; name?: string } = {},
): Promise<string> {
  const { email, name } = owner;
  const fault = passwordFault(password, { minLength: config.passwordMinLength, email, name });
  if (fault !== undefined) throw fieldError("password", fault);
  return await unlessBusy(runtime.passwords.hash(password));
}

/** Whether the password belongs to the hash; as slow for an account that does not exist. */
export async function isPassword(
  { runtime }: Pick<Means, "runtime">,
  hash: string | undefined,
  password: string,
): Promise<boolean> {
  return await unlessBusy(runtime.passwords.verify(hash, password));
}

/** Hashing is bounded to a few at a time; who finds the queue full is asked to come again. */
async function unlessBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && error.name === "TooBusy")
      throw new ServiceError("rate_limited", { retryAfter: 1, cause: error });
    throw error;
  }
}
