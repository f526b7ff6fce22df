import type { Caller } from "./caller.ts";

/** Waits until the caller is confirmed. Throws the refusal otherwise. */
export function confirmCaller({ caller }: { caller: Caller }): Promise<void> | undefined {
  return caller.kind === "api_key" ? caller.confirm?.() : undefined;
}
