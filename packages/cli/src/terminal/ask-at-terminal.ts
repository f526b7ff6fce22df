import type { Readable, Writable } from "node:stream";
import type { CommonOptions } from "@clack/prompts";
import { CliError } from "../program/errors/cli-error.ts";
import { promptOutput } from "./prompt-output.ts";

type Prompts = typeof import("@clack/prompts");

/** The parts of a terminal on which a question is asked. */
interface Asked {
  input: Readable;
  output: Writable;
}

interface Key {
  name?: string | undefined;
  ctrl?: boolean | undefined;
}

/**
 * Asks a question on the terminal. Throws `interrupted` at Ctrl-C and Escape, and at Ctrl-D: there the terminal is read
 * no more, so that the answer would never come.
 */
export async function askAtTerminal<T>(
  ask: (prompts: Prompts, options: CommonOptions) => Promise<T>,
  { input, output }: Asked = { input: process.stdin, output: promptOutput(process.stderr) },
): Promise<Exclude<T, symbol>> {
  const prompts = await import("@clack/prompts");
  const ending = new AbortController();
  const onKey = (_text: string | undefined, { name, ctrl }: Key): void => {
    if (ctrl === true && name === "d") ending.abort();
  };
  input.on("keypress", onKey);
  try {
    const answer = await ask(prompts, { input, output, signal: ending.signal });
    if (prompts.isCancel(answer)) throw new CliError("interrupted", "Nothing was done.");
    return answer as Exclude<T, symbol>;
  } finally {
    input.off("keypress", onKey);
  }
}
