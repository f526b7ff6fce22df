import { Readable, Writable } from "node:stream";
import type { CommandEnded, CommandToRun } from "./warm-command.ts";

/**
 * A process that runs one command line after the other, each with its own folder, environment and streams, so that
 * modules are loaded once. A command has ended when nothing of it keeps the process alive, as in a separate process.
 */
const [, , path = ""] = process.argv;
const { main } = (await import(path)) as { main(args: string[]): Promise<void> };
const disposable = { configurable: true, enumerable: true };

/** A stream that stores what is written to it. */
function createKeeper(): { stream: Writable; text(): string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

async function run({ args, cwd, env, input }: CommandToRun): Promise<CommandEnded> {
  const [stdout, stderr] = [createKeeper(), createKeeper()];
  const stdin = Readable.from(input === "" ? [] : [Buffer.from(input)], { objectMode: false });
  Object.defineProperties(process, {
    stdin: { value: stdin, ...disposable },
    stdout: { value: stdout.stream, ...disposable },
    stderr: { value: stderr.stream, ...disposable },
  });
  process.chdir(cwd);
  process.env = { ...env };
  process.exitCode = undefined;
  const before = alive();
  await main(args);
  while (alive() > before) await new Promise(setImmediate);
  const code = Number(process.exitCode ?? 0);
  process.exitCode = 0;
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}

/** Number of resources that keep this process alive, without the waiting itself. */
const alive = (): number => process.getActiveResourcesInfo().filter((name) => name !== "Immediate").length;

process.on("message", (command: CommandToRun) => {
  void run(command).then((ended) => process.send?.(ended));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
