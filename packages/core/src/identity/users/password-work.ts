import type { ReadContext } from "../../calls/use-case.ts";
import { fieldError, ServiceError } from "../../errors.ts";
import type { Repositories, User } from "../../ports/storage.ts";
import type { Turns } from "../../ports/turns.ts";
import type { Config } from "../../service/options.ts";
import type { Runtime } from "../../service/runtime.ts";
import { type Guard, guardOf, releaseAttempt, reserveAttempt } from "../guard-attempts.ts";
import { passwordFault } from "../rules/passwords.ts";
import { passwordHashOf } from "./user-or-throw.ts";

interface Means {
  storage: Pick<Repositories, "guards">;
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

/** Returns the hash of a new password, counted with the guards before. Throws as `assertNewPassword` does. */
export async function hashNewPassword(
  means: Means,
  password: string,
  owner: Owner & { field?: string } = {},
  ...guards: (Guard | undefined)[]
): Promise<string> {
  assertNewPassword(means, password, owner);
  return await unlessBusy(means, means.runtime.passwords.hash(password), guards);
}

/** How attempts at a password are counted. */
interface Counting {
  guards: readonly (Guard | undefined)[];
  /** Takes a right password off the counts. */
  forgive(): Promise<void>;
}

/**
 * Whether the password matches the hash. A missing account takes as long. Each attempt is counted with the guards
 * before it is made, so that parallel guesses are all counted. Attempts at one account, and of one client, take turns
 * until they are settled: a person's many logins at once would otherwise count as that many wrong ones.
 */
export async function isPassword(
  context: ReadContext,
  hash: string | undefined,
  password: string,
  { guards, forgive }: Counting,
): Promise<boolean> {
  const { passwords, passwordTurns } = context.runtime;
  const leave = await enterAll(passwordTurns, guards);
  try {
    await reserveAttempt(context, ...guards);
    const isRight = await unlessBusy(context, passwords.verify(hash, password), guards);
    if (isRight) await forgive();
    return isRight;
  } finally {
    leave();
  }
}

/** Waits for a place of each guard, always in the order given. Returns the function that gives all back. */
async function enterAll(turns: Turns, guards: readonly (Guard | undefined)[]): Promise<() => void> {
  const places: (() => void)[] = [];
  const leave = () => {
    for (const each of places) each();
  };
  try {
    for (const guard of guards) if (guard !== undefined) places.push(await turns.enter(guard.key));
    return leave;
  } catch (error) {
    leave();
    throw error;
  }
}

/** Returns the hash of a user's password if the password matches it, as a confirmation. Throws `wrong` otherwise. */
export async function confirmPassword(
  context: ReadContext,
  user: User,
  password: string,
  wrong: () => ServiceError,
): Promise<string> {
  const hash = passwordHashOf(user);
  const guard = guardOf.accountPasswords(user.email);
  const forgive = () => context.storage.guards.clear(guard.key);
  if (!(await isPassword(context, hash, password, { guards: [guard], forgive }))) throw wrong();
  return hash;
}

/**
 * Turns `TooBusy`, the hasher's full queue, into an error that asks the caller to try again later. The password was not
 * looked at: the attempt no longer counts with the guards.
 */
async function unlessBusy<T>(
  context: Pick<Means, "storage">,
  work: Promise<T>,
  guards: readonly (Guard | undefined)[],
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Error && error.name === "TooBusy")) throw error;
    await releaseAttempt(context, ...guards);
    throw new ServiceError("rate_limited", { retryAfter: 1, cause: error });
  }
}
