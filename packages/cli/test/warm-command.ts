import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { installCommand } from "./install-command.ts";

/** A command line with its environment. */
export interface CommandToRun {
  args: string[];
  cwd: string;
  env: Record<string, string>;
  input: string;
}

/** Result and output of a command. */
export interface CommandEnded {
  code: number | null;
  stdout: string;
  stderr: string;
}

let warm: Promise<ChildProcess> | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `posthorn …` in a process that this thread's earlier commands have warmed up, one after the other: a new process
 * for each took a third of all tests' time.
 */
export function runWarmCommand(command: CommandToRun): Promise<CommandEnded> {
  const ended = last.then(async () => {
    warm ??= startWarmProcess();
    return await ask(await warm, command);
  });
  last = ended.catch(() => undefined);
  return ended;
}

async function startWarmProcess(): Promise<ChildProcess> {
  const bundle = join(installCommand(), "../../dist/index.js");
  const child = fork(join(import.meta.dirname, "warm-process.ts"), [bundle], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await answerOf(child);
  return child;
}

async function ask(child: ChildProcess, command: CommandToRun): Promise<CommandEnded> {
  const answer = answerOf(child);
  child.send(command);
  return (await answer) as CommandEnded;
}

/** Resolves with the process's next message; without a pending request it does not keep this process alive. */
async function answerOf(child: ChildProcess): Promise<unknown> {
  child.ref();
  child.channel?.ref();
  try {
    return await new Promise((resolve, reject) => {
      const onExit = (code: number | null): void => {
        warm = undefined;
        reject(new Error(`The process that runs commands ended with ${code}.`));
      };
      child.once("exit", onExit);
      child.once("message", (answer) => {
        child.off("exit", onExit);
        resolve(answer);
      });
    });
  } finally {
    child.unref();
    child.channel?.unref();
  }
}
