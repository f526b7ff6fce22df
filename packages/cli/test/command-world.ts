import { join } from "node:path";
import type { Posthorn } from "@posthorn/core";
import { onTestFinished } from "vitest";
import { loadConfig } from "../src/program/settings/config.ts";
import { openService } from "../src/service/open-service.ts";
import { type Ended, makeFolder, type RunningCommand, runCommand, startCommand } from "./run-command.ts";

/** A folder with a database that this process uses while commands run on it. */
export interface CommandWorld {
  cwd: string;
  /** The service on the same database, for preparation and checks. */
  posthorn: Posthorn;
  run(...args: string[]): Promise<Ended>;
  /** Runs a command with text on standard input. */
  pipe(input: string, ...args: string[]): Promise<Ended>;
  /** Runs a command that must succeed; returns its output, parsed as JSON. */
  json<T = Record<string, unknown>>(...args: string[]): Promise<T>;
  start(...args: string[]): RunningCommand;
}

export async function openCommandWorld(): Promise<CommandWorld> {
  const cwd = makeFolder();
  const env = { SERVICE_DEFAULT_SENDER: "Shop <shop@example.com>", SERVICE_SMTP_URL: "capture:" };
  const databaseUrl = `sqlite:${join(cwd, "posthorn.db")}`;
  const service = await openService(loadConfig({ databaseUrl }, env).values, {
    database: "make",
    mail: "deliver",
  });
  onTestFinished(() => service.close());
  const run = (...args: string[]): Promise<Ended> => runCommand(args, { cwd, env });
  return {
    cwd,
    posthorn: service.posthorn,
    run,
    pipe: (input, ...args) => runCommand(args, { cwd, env, input }),
    async json(...args) {
      const { code, stdout, stderr } = await run(...args);
      if (code !== 0) throw new Error(`posthorn ${args.join(" ")} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    start: (...args) => startCommand(args, { cwd, env }),
  };
}

/** Adds a user who owns a workspace. */
export async function addShop({ posthorn }: CommandWorld) {
  const owner = await posthorn.users.create({
    name: "Ada",
    email: "ada@example.com",
    password: "correct horse battery",
  });
  const workspace = await posthorn.workspaces.createFor({ name: "Shop", userId: owner.id });
  return { owner, workspace };
}
