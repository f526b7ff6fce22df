import type { Caller } from "./caller.ts";

/** Identifies a caller within a workspace, for what callers must not share with each other. */
export function callerKey(caller: Caller): string {
  if (caller.kind === "user") return `user:${caller.userId}`;
  return caller.kind === "api_key" ? `key:${caller.apiKeyId}` : caller.kind;
}
