import { fieldError, ServiceError } from "../../errors.ts";
import type { Config } from "../../service/options.ts";
import type { Runtime } from "../../service/runtime.ts";
import { passwordFault } from "../rules/passwords.ts";

interface Means {
  runtime: Pick<Runtime, "passwords">;
  config: Pick<Config, "passwordMinLength">;
}

interface Owner {
  email?: string;
  name?: string;
}

/**
 * Throws `validation_failed`, naming the `field`, for a new password that breaks the rules of decisions §2, or equals
 * the name or address of its `owner`, if known. Computes no hash.
 */
export function assertNewPassword(
  { config }: Pick<Means, "config">,
  password: string,
  { email, name, field = "password" }: Owner & { field?: string } = {},
): void {
  const fault = passwordFault(password, { minLength: config.passwordMinLength, email, name });
  if (fault !== undefined) throw fieldError(field, fault);
}

/** Returns the hash of a new password. Throws as `assertNewPassword` does. */
export async function hashNewPassword(
  means: Means,
  password: string,
  owner: Owner & { field?: string } = {},
): Promise<string> {
  assertNewPassword(means, password, owner);
  return await unlessBusy(means.runtime.passwords.hash(password));
}

/** Whether the password matches the hash. A missing account takes as long. */
export async function isPassword(
  { runtime }: Pick<Means, "runtime">,
  hash: string | undefined,
  password: string,
): Promise<boolean> {
  return await unlessBusy(runtime.passwords.verify(hash, password));
}

/** Turns `TooBusy`, the hasher's full queue, into an error that asks the caller to try again later. */
async function unlessBusy<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && error.name === "TooBusy")
      throw new ServiceError("rate_limited", { retryAfter: 1, cause: error });
    throw error;
  }
}
