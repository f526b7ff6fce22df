import type { Action } from "./run-action.ts";

/** Actions of a module that is loaded when one of them runs, so that `--help` need not wait for it. */
export function lazily<M extends Record<string, Action>>(load: () => Promise<M>): (name: keyof M) => Action {
  return (name) =>
    async (context, ...args) =>
      await (await load())[name]?.(context, ...args);
}
