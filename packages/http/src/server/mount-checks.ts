import type { Posthorn } from "@posthorn/core";
import { version } from "@posthorn/core/version";
import type { ServedPosthorn } from "./served-posthorn.ts";

/** Patterns of routers are no paths: nothing would ever be under one. */
const isPrefix = (value: unknown): boolean => typeof value === "string" && /^(\/[^*?#:]*)?$/.test(value);

/** A check of the path under which a handler is mounted. */
export const prefixCheck = ["a path such as /mail", isPrefix] as const;

const isCount = (value: unknown, least: number): boolean =>
  value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && Number(value) >= least);

/** A check of a limit. Of a variable that is not set, `Number` makes NaN, which is no limit, or refuses everything. */
export const limitCheck = [
  "a whole number from 1 on, or Infinity",
  (value: unknown): boolean => isCount(value, 1),
] as const;

/** A check of a number of things of which there may be none. */
export const numberCheck = [
  "a whole number from 0 on, or Infinity",
  (value: unknown): boolean => isCount(value, 0),
] as const;

/** A check of a token that `Authorization: Bearer` can carry, as we read it. An empty one is nobody's. */
export const bearerCheck = [
  "a text of letters, digits and the signs -._~+/=, as a bearer token is",
  (value: unknown): boolean => typeof value === "string" && /^[\w~+/.=-]{0,4096}$/.test(value),
] as const;

const isRoute = (value: unknown): boolean =>
  typeof Object(value).signature === "string" && Object(Object(value).useCase).input !== undefined;

/** A check of routes, which the function `route` makes. */
export const routesCheck = [
  "an array of routes",
  (value: unknown): boolean => Array.isArray(value) && value.every(isRoute),
] as const;

/** Throws a `TypeError` unless a host without types passed a service, of this version of Posthorn. */
export function assertService(owner: string, posthorn: Pick<ServedPosthorn, "execute">): void {
  const service = posthorn as Partial<Posthorn> | undefined | null;
  if (typeof service?.execute === "function") {
    // The routes' use cases are of this version, and would miss what another's service lacks. Its storage has its version.
    const { version: itsVersion = version } = service.storage ?? {};
    if (itsVersion === version) return;
    throw new TypeError(
      `the service is of Posthorn ${itsVersion}, but @posthorn/http of ${version}: install all its packages in one version`,
    );
  }
  const words = (posthorn as unknown) instanceof Promise ? ": await the promise first" : "";
  throw new TypeError(`${owner} takes a service that createPosthorn made${words}`);
}
