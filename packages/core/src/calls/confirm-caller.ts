import type { Caller } from "./caller.ts";

/** Waits until it is sure that the caller may call. Throws what refuses it. */
export function confirmCaller({ caller }: { caller: Caller }): Promise<void> | undefined {
  return caller.kind === "api_key" ? caller.confirmed : undefined;
}
