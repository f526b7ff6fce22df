import { createInterruption } from "../terminal/interruption.ts";
import { reportFailure } from "../terminal/output.ts";
import { CliError } from "./cli-error.ts";
import { type CommandContext, createCommandContext, type GlobalOptions } from "./command-context.ts";
import { exitCodes } from "./exit-codes.ts";
import type { Called } from "./to-cli-error.ts";

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
  // The reader may close the pipe at any time (`| head -1`): that ends the command without an error.
  const onOutputError = (error: NodeJS.ErrnoException): void => {
    if (error.code === "EPIPE") interruption.end();
    else throw error;
  };
  process.stdout.on("error", onOutputError);
  const { context, close } = createCommandContext(global, interruption.signal);
  try {
    await action(context, ...(args as never[]));
    if (interruption.isInterrupted()) process.exitCode = exitCodes.interrupted;
  } catch (error) {
    const ended = interruption.signal.aborted && !(error instanceof CliError);
    if (!ended) process.exitCode = reportFailure(error, global, called);
    else if (interruption.isInterrupted()) process.exitCode = exitCodes.interrupted;
  } finally {
    await close().catch((error) => {
      process.exitCode = reportFailure(error, global, called);
    });
    interruption.close();
  }
}
