import type { Action } from "./run-action.ts";

/** Actions of a module that is loaded when one of them runs: what they need must not make `--help` wait. */
export function lazily<M extends Record<string, Action>>(load: () => Promise<M>): (name: keyof M) => Action {
  return (name) =>
    async (context, ...args) =>
      await (await load())[name]?.(context, ...args);
}
