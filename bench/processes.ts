import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A child process of a bench on the TypeScript source, and the JSON lines that it prints. */
export interface Child {
  process: ChildProcess;
  /** Resolves with the next JSON line. */
  next<T>(): Promise<T>;
  stop(): Promise<void>;
}

export function startChild(script: string, ...args: string[]): Child {
  const child = spawn(
    process.execPath,
    ["--conditions=posthorn-source", join(import.meta.dirname, script), ...args],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    process: child,
    async next<T>() {
      const line = await lines.next();
      if (line.done) throw new Error(`${script} ended without an answer`);
      return JSON.parse(line.value) as T;
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
