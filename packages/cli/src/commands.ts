import type { Command } from "commander";
import type { Action } from "./run-action.ts";

/** Defines a noun's verbs on its command. `act` makes an action: context first, then arguments, then options. */
export type Register = (
  command: Command,
  act: (action: Action) => (...args: unknown[]) => Promise<void>,
) => void;

/** Every command, one line each; its module is loaded when it is called. */
export const commands: { name: string; summary: string; load: () => Promise<{ register: Register }> }[] = [
  {
    name: "serve",
    summary: "run the API and the worker in one process",
    load: () => import("./commands/serve.ts"),
  },
  {
    name: "worker",
    summary: "deliver what is queued, without the API",
    load: () => import("./commands/worker.ts"),
  },
  {
    name: "demo",
    summary: "show the main job end to end, and end",
    load: () => import("./commands/demo.ts"),
  },
  {
    name: "migrate",
    summary: "bring the database's schema up to date",
    load: () => import("./commands/migrate.ts"),
  },
  { name: "users", summary: "people: create, promote, reset", load: () => import("./commands/users.ts") },
];
