import type { Command } from "commander";
import type { Action } from "./run-action.ts";

/** Defines a noun's verbs on its command. `act` makes an action: context first, then arguments, then options. */
export type Register = (
  command: Command,
  act: (action: Action) => (...args: unknown[]) => Promise<void>,
) => void;
