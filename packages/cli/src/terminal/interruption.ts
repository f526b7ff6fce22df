import { exitCodes } from "../program/errors/exit-codes.ts";
import { leaveOpen } from "./open-line.ts";

/**
 * Ms within which further Ctrl-C count as the same one: npx and npm forward the signal that the terminal has already
 * sent to all processes.
 */
const sameMs = 1_000;

/** State of an interruption by Ctrl-C. */
export interface Interruption {
  /** Aborts at the first Ctrl-C, and at `end`. */
  readonly signal: AbortSignal;
  /** Whether it was Ctrl-C. */
  isInterrupted(): boolean;
  /** Aborts for another reason, such as a closed pipe. */
  end(): void;
  close(): void;
}

/**
 * Watches for Ctrl-C. The first one asks the command to end; another one more than a second later ends the process at
 * once.
 */
export function createInterruption(now: () => number = () => performance.now()): Interruption {
  const controller = new AbortController();
  let first: number | undefined;
  const onInterrupt = (): void => {
    if (first === undefined) {
      first = now();
      // The terminal prints ^C at the cursor.
      if (process.stderr.isTTY === true) leaveOpen(process.stderr);
      controller.abort();
    } else if (now() - first > sameMs) process.exit(exitCodes.interrupted);
  };
  process.on("SIGINT", onInterrupt);
  return {
    signal: controller.signal,
    isInterrupted: () => first !== undefined,
    end: () => controller.abort(),
    close: () => void process.removeListener("SIGINT", onInterrupt),
  };
}
