import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { installCommand } from "./install-command.ts";
import { type CommandEnded as Ended, runWarmCommand } from "./warm-command.ts";

export type { Ended };

/** A running command. */
export interface RunningCommand {
  readonly child: ChildProcess;
  /** Waits until standard error matches; returns the match. Rejects if the command ends before. */
  waitForStderr(pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<Ended>;
}

export interface RunOptions {
  cwd: string;
  env?: Record<string, string>;
  /** Text on standard input. */
  input?: string;
  /** A program with arguments that executes the command, such as `prlimit --nofile=64`. */
  under?: readonly string[];
}

/** Creates an empty folder, removed after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts `posthorn …` as a separate process, with only the necessary parts of the tests' environment. */
export function startCommand(
  args: string[],
  { cwd, env = {}, input, under = [] }: RunOptions,
): RunningCommand {
  const [program = process.execPath, ...before] = [...under, process.execPath];
  const child = spawn(program, [...before, installCommand(), ...args], {
    cwd,
    env: environmentIn(cwd, env),
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input ?? "");
  let stdout = "";
  let stderr = "";
  const listeners = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    for (const listener of listeners) listener();
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return {
    child,
    ended,
    waitForStderr: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(stderr);
          if (match === null) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        look();
        void ended.then(({ code }) =>
          reject(new Error(`ended with ${code} before ${pattern} was written:\n${stderr}`)),
        );
      }),
  };
}

/** Runs `posthorn …` to its end, in a process that also runs other commands, one after the other. */
export function runCommand(
  args: string[],
  { cwd, env = {}, input = "" }: Omit<RunOptions, "under">,
): Promise<Ended> {
  return runWarmCommand({ args, cwd, env: environmentIn(cwd, env), input });
}

/** The parts of the tests' environment that a command needs. */
const environmentIn = (cwd: string, env: Record<string, string>): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: cwd,
  // A process that also runs other commands keeps its own home: with HOME alone, a developer's profiles were overwritten.
  XDG_CONFIG_HOME: join(cwd, ".config"),
  ...env,
});

/** Runs `posthorn …` to its end, in a separate process. */
export function runProcess(args: string[], options: RunOptions): Promise<Ended> {
  return startCommand(args, options).ended;
}
