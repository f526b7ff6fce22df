import { createWorld, type TestWorkspace, type World, type WorldOptions } from "@posthorn/core/testing";
import { Command } from "commander";
import { onTestFinished } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { commands } from "../src/commands.ts";
import { type Api, enterWorkspace, findAnyWorkspace } from "../src/program/connection/api.ts";
import type { CommandContext } from "../src/program/connection/command-context.ts";
import { connectDirectly } from "../src/program/connection/connect-directly.ts";
import { assertOwnDatabase } from "../src/program/connection/own-database.ts";
import { loadConfig } from "../src/program/settings/config.ts";
import type { Output } from "../src/terminal/output.ts";

/** Runs verbs in this process, on a service in memory, and records their questions and messages. */
export interface VerbWorld {
  world: World;
  shop: TestWorkspace;
  api: Api;
  /** Runs a command line; returns its data for programs, in order. Rejects with its refusal. */
  run(...args: string[]): Promise<unknown[]>;
  /** Interrupts a waiting command, as Ctrl-C does. */
  end(): void;
  /** Questions and messages so far. */
  readonly questions: string[];
  readonly told: string[];
}

/** Opens a world; `connect` creates the API to use instead of the service itself. */
export async function openVerbWorld(
  connect?: (world: World) => Promise<Api>,
  options: WorldOptions = {},
): Promise<VerbWorld> {
  const world = await createWorld(await openTestSqlite(), options);
  onTestFinished(() => world.close());
  const shop = await world.addWorkspace({ name: "Shop" });
  const api = connect === undefined ? connectDirectly(world.posthorn) : await connect(world);
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const questions: string[] = [];
  const told: string[] = [];
  return {
    world,
    shop,
    api,
    questions,
    told,
    end: () => ending.abort(),
    async run(...args) {
      const data: unknown[] = [];
      const context = {
        output: createRecorder(data, told),
        signal: ending.signal,
        config: () => loadConfig({}, {}),
        ownDatabase(why) {
          assertOwnDatabase(connect === undefined ? undefined : "prod", why);
          return loadConfig({}, {}).values;
        },
        api: async () => api,
        inWorkspace: (named: string | undefined) => enterWorkspace(api, named),
        workspace: async (named: string | undefined) => await findAnyWorkspace(api, named),
        posthorn: async () => world.posthorn,
        confirm: async (question: string, atTerminal = async () => question) =>
          void questions.push(await atTerminal()),
      } as Partial<CommandContext> as CommandContext;
      const program = await createProgram(context);
      await program.parseAsync(args, { from: "user" });
      return data;
    },
  };
}

/** Creates all commands. Throws commander's errors. */
export async function createProgram(context?: CommandContext): Promise<Command> {
  const program = new Command("posthorn").exitOverride().configureOutput({ writeErr: () => {} });
  for (const { name, load } of commands) {
    const { register } = await load();
    register(program.command(name), (action) => async (...given) => {
      if (context !== undefined) await action(context, ...(given.slice(0, -1) as never[]));
    });
  }
  return program;
}

function createRecorder(data: unknown[], told: string[]): Output {
  const tell = (text: string): void => void told.push(text);
  return {
    format: "json",
    json: true,
    jsonAsked: false,
    interactive: false,
    list: (rows, _, wire = (row) => row) => void data.push(rows.map(wire)),
    answers: async (rows) => void data.push(rows),
    async pages(pages) {
      const rows: unknown[] = [];
      for await (const page of pages) rows.push(...page);
      data.push(rows);
    },
    record: (fields, wire = fields) => void data.push(wire),
    data: (text) => void data.push(text),
    note: tell,
    done: tell,
    advice: (text) => text,
    warn: tell,
  };
}
