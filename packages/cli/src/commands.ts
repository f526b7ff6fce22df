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
    name: "demo",
    summary: "show the main job end to end, and end",
    load: () => import("./commands/demo.ts"),
  },
  {
    name: "dev",
    summary: "bring everything up in an empty folder, to develop against",
    load: () => import("./commands/dev.ts"),
  },
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
    name: "doctor",
    summary: "check everything that Posthorn needs",
    load: () => import("./commands/doctor.ts"),
  },
  {
    name: "migrate",
    summary: "bring the database's schema up to date",
    load: () => import("./commands/migrate.ts"),
  },
  { name: "config", summary: "the settings in force", load: () => import("./commands/config.ts") },
  {
    name: "queue",
    summary: "the queue: how full it is, pause, resume",
    load: () => import("./commands/queue.ts"),
  },
  {
    name: "backup",
    summary: "copy a SQLite database while it is in use",
    load: () => import("./commands/backup.ts"),
  },
  {
    name: "completion",
    summary: "write a shell's completion script",
    load: () => import("./commands/completion.ts"),
  },
  { name: "users", summary: "people: create, promote, reset", load: () => import("./commands/users.ts") },
];
