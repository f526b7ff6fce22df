import { accessSync, constants, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { CommandContext } from "../program/connection/command-context.ts";
import { CliError } from "../program/errors/cli-error.ts";
import { throwUnreadable } from "../program/errors/file-fault.ts";
import { askAtTerminal } from "./ask-at-terminal.ts";
import { textOf } from "./text-of.ts";

const maxBytes = 32 * 1024 * 1024;

/**
 * Yields what comes through standard input. Throws at Ctrl-C, because the program that writes it was interrupted too:
 * its part of a mail or a list must not pass for the whole; and where it was read already, because it would be empty.
 */
export async function* streamStdin(stdin: Readable = process.stdin): AsyncGenerator<Buffer> {
  assertUnread(stdin);
  const fault = new CliError("interrupted", "Standard input was interrupted.");
  let isInterrupted = false;
  const end = (): void => {
    isInterrupted = true;
    stdin.destroy(fault);
  };
  process.once("SIGINT", end);
  try {
    yield* stdin;
    // The writer's end may be read in the turn of the event loop before the one that notices the signal.
    await setImmediate();
    await setImmediate();
    if (isInterrupted) throw fault;
  } finally {
    process.removeListener("SIGINT", end);
  }
}

function assertUnread(stdin: Readable): void {
  if (stdin.readableEnded)
    throw new CliError("usage", "Standard input was read already.", "Give it to one option only.");
}

/** Reads all bytes of standard input. */
async function readStdin(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of streamStdin()) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes > maxBytes) throw new CliError("limit", "Standard input has more than 32 MiB.");
  }
  return Buffer.concat(chunks);
}

/**
 * Throws for a file that can't be read, before anything is done with its content; `-` is standard input, which another
 * option may have read.
 */
export function assertReadable(path: string): void {
  if (path === "-") {
    assertUnread(process.stdin);
    return;
  }
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throwUnreadable(error, "file", path);
  }
  if (statSync(path).isDirectory()) throw new CliError("usage", `${path} can't be read: it is a folder.`);
}

/** Reads a file's bytes; `-` is standard input. */
export async function readInputFile(path: string): Promise<Buffer> {
  if (path === "-") return await readStdin();
  try {
    return await readFile(path);
  } catch (error) {
    return throwUnreadable(error, "file", path);
  }
}

/** Reads a file's text; `-` is standard input. Throws a usage error unless it is UTF-8. */
export async function readTextFile(path: string): Promise<string> {
  const bytes = await readInputFile(path);
  try {
    return textOf(bytes);
  } catch {
    const what = path === "-" ? "Standard input" : path;
    throw new CliError("usage", `${what} is not UTF-8 text.`, "Save it as UTF-8.");
  }
}

/**
 * Reads placeholder values: JSON, `@file`, or `-` for standard input. Throws a usage error for anything but an object.
 */
export const readData = (given: string): Promise<Record<string, unknown>> =>
  readObject(given, "--data", `'{"name": "Ada"}'`);

/** Reads metadata from a repeatable option: `key=value`, or as for {@link readData}. */
export async function readMetadata(given: readonly string[]): Promise<Record<string, unknown>> {
  const example = `order=1007, or '{"order": 1007}'`;
  const parts = given.map(async (text) => {
    const pair = /^([^=@{-][^=]*)=(.*)$/s.exec(text);
    return pair === null ? await readObject(text, "--metadata", example) : { [pair[1] ?? ""]: pair[2] };
  });
  // `Object.assign` would lose a key `__proto__`, which is refused by name.
  return Object.fromEntries((await Promise.all(parts)).flatMap(Object.entries));
}

async function readObject(given: string, flag: string, example: string): Promise<Record<string, unknown>> {
  const text = given === "-" || given.startsWith("@") ? await readTextFile(given.replace(/^@/, "")) : given;
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new CliError(
      "usage",
      `${flag} is not valid JSON: ${(error as Error).message}.`,
      `An example: ${flag} ${example}`,
    );
  }
  if (typeof data !== "object" || data === null || Array.isArray(data))
    throw new CliError("usage", `${flag} must be an object.`, `An example: ${flag} ${example}`);
  const { inexactFault } = await import("@posthorn/core/internal");
  const fault = inexactFault(text);
  if (fault !== undefined) throw new CliError("usage", `${flag} ${fault}.`);
  return data as Record<string, unknown>;
}

/**
 * Reads a secret from standard input, or typed without echo. Never from an argument, which every process can read.
 * Spaces belong to it, as they may to a password.
 */
export async function readSecret(
  { output }: Pick<CommandContext, "output">,
  { message, fromStdin, flag }: { message: string; fromStdin: boolean; flag: string },
): Promise<string> {
  if (fromStdin) {
    const text = await readPipedLine();
    if (text === "") throw new CliError("usage", `Standard input is empty: ${flag} reads from it.`);
    return text;
  }
  if (!output.interactive)
    throw new CliError("usage", `${message}: there is no terminal to ask on.`, `Pass it with ${flag}.`);
  return await askPassword(message);
}

const askPassword = async (message: string): Promise<string> =>
  await askAtTerminal(({ password }, options) => password({ message, ...options }));

const readPipedLine = async (): Promise<string> => (await readTextFile("-")).replace(/\r?\n$/, "");

/**
 * Reads a new password from standard input, or typed twice without echo. Never from an argument, which every process
 * can read.
 */
export async function readNewPassword(
  context: CommandContext,
  { passwordStdin = false }: { passwordStdin?: boolean | undefined },
): Promise<string> {
  if (passwordStdin) {
    const password = await readPipedLine();
    if (password === "") throw new CliError("usage", "Standard input contains no password.");
    return password;
  }
  if (!context.output.interactive) {
    throw new CliError(
      "usage",
      "A password is needed, and there is no terminal to ask on.",
      "Pass it with --password-stdin, such as: posthorn … --password-stdin < password.txt",
    );
  }
  const first = await askPassword("New password");
  const second = await askPassword("Repeat the new password");
  if (first !== second) throw new CliError("usage", "The passwords differ. Nothing was done.");
  return first;
}
