import { createInterruption } from "../../terminal/interruption.ts";
import { reportFailure } from "../../terminal/output.ts";
import {
  type CommandContext,
  createCommandContext,
  type GlobalOptions,
} from "../connection/command-context.ts";
import { CliError } from "../errors/cli-error.ts";
import { exitCodes } from "../errors/exit-codes.ts";
import type { Called } from "../errors/to-cli-error.ts";
import { unwritableWords } from "../errors/unwritable-words.ts";

/** Action of a command. Arguments come from commander: arguments in order, then the options. */
export type Action = (context: CommandContext, ...args: never[]) => Promise<void>;

/** Runs an action: creates its context, reports its failure, sets the exit code, and closes everything. */
export async function runAction(
  action: Action,
  global: GlobalOptions & Record<string, unknown>,
  args: unknown[],
  called?: Called,
): Promise<void> {
  const interruption = createInterruption();
  let isReported = false;
  let isRunning = true;
  let unwritten: NodeJS.ErrnoException | undefined;
  const reportUnwritten = (): void => {
    if (unwritten === undefined || isRunning || isReported) return;
    isReported = true;
    process.exitCode = reportFailure(unwritable(unwritten), global, called);
  };
  // The reader may close the pipe at any time (`| head -1`): that ends the command without an error. What else the
  // action fails with meanwhile says more.
  const onOutputError = (error: NodeJS.ErrnoException): void => {
    interruption.end();
    if (error.code !== "EPIPE") unwritten ??= error;
    reportUnwritten();
  };
  process.stdout.on("error", onOutputError);
  const { context, close } = createCommandContext(global, interruption.signal);
  try {
    await action(context, ...(args as never[]));
    if (interruption.isInterrupted()) process.exitCode = exitCodes.interrupted;
  } catch (error) {
    const ended = interruption.signal.aborted && !(error instanceof CliError);
    isReported = !ended;
    if (!ended) process.exitCode = reportFailure(error, global, called);
    else if (interruption.isInterrupted()) process.exitCode = exitCodes.interrupted;
  } finally {
    isRunning = false;
    reportUnwritten();
    await close().catch((error) => {
      process.exitCode = reportFailure(error, global, called);
    });
    interruption.close();
  }
}

function unwritable(cause: NodeJS.ErrnoException): CliError {
  const hint = "See whether the command did its work before you run it again.";
  return new CliError("failed", unwritableWords(cause), hint, { cause });
}
