import type { ServedPosthorn } from "./served-posthorn.ts";

/** Patterns of routers are no paths: nothing would ever be under one. */
const isPrefix = (value: unknown): boolean => typeof value === "string" && /^(\/[^*?#:]*)?$/.test(value);

/** A check of the path under which a handler is mounted. */
export const prefixCheck = ["a path such as /mail", isPrefix] as const;

/** Throws a `TypeError` unless a host without types passed a service. */
export function assertService(owner: string, posthorn: ServedPosthorn): void {
  if (typeof (posthorn as Partial<ServedPosthorn> | undefined | null)?.execute === "function") return;
  const words = (posthorn as unknown) instanceof Promise ? ": await the promise first" : "";
  throw new TypeError(`${owner} takes a service that createPosthorn made${words}`);
}
