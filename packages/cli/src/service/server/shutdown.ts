import type { Logger } from "@posthorn/core";
import { endingSignals } from "../../program/ending-signals.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { starter } from "./starter.ts";

/** Ms for a graceful stop after Ctrl-C or a signal (reliability.md, promise 9). */
const patience = 29_000;
/** Ms for stopping after a fault. */
const patienceAfterFault = 4_000;

/** Ms between two checks whether npm, which started this process, still runs. */
const lookMs = 1_000;

/** Tells a long-running command when to stop. */
export interface Shutdown {
  /**
   * Resolves at Ctrl-C, SIGTERM, SIGQUIT and SIGHUP, and when the npm or npx that started the process is gone; rejects
   * after `fail`.
   */
  readonly ended: Promise<void>;
  /** Stops the command with a failure. */
  fail(message: string, error: unknown): void;
  /** Removes the handlers. */
  close(): void;
}

/** Stays until the process ends: a second signal while it closes must not cut it off. */
const ignoreEnding = (): void => {};

/**
 * Watches for the end of a long-running command: Ctrl-C through `signal`, a signal, and uncaught errors, which end it
 * with a failure. It then has 29 s to stop, or 4 s after a fault. A supervisor may send SIGTERM repeatedly: it
 * does not cut off work in progress.
 */
export function createShutdown(
  signal: AbortSignal,
  logger: Logger,
  { env = process.env, parent = starter }: { env?: NodeJS.ProcessEnv; parent?: () => number | string } = {},
): Shutdown {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // The caller may still be starting when the fault occurs.
  promise.catch(() => {});
  let isEnding = false;

  const cutOffAfter = (ms: number, code: () => number): void => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => {
      logger.error(
        {},
        "stopping took too long and is cut short; e-mails in progress are taken up again when their leases expire",
      );
      process.exit(code());
    }, ms).unref();
  };
  const onInterrupt = (): void => {
    cutOffAfter(patience, () => 130);
    resolve();
  };
  const onTerminate = (): void => {
    cutOffAfter(patience, () => 1);
    resolve();
  };
  const fail = (message: string, error: unknown): void => {
    logger.error({ err: error }, message);
    cutOffAfter(patienceAfterFault, () => 1);
    reject(
      new CliError(
        "failed",
        `${message}: ${error instanceof Error ? error.message : String(error)}.`,
        undefined,
        {
          cause: error,
        },
      ),
    );
  };
  const onUncaught = (error: unknown): void => fail("an error was caught by nobody", error);

  // A killed npx leaves its child process running, which would go on serving unnoticed.
  const startedBy = parent();
  const looking =
    env["npm_command"] === undefined
      ? undefined
      : setInterval(() => {
          if (parent() === startedBy) return;
          clearInterval(looking);
          logger.warn({}, "npm, which started this process, is gone: stopping");
          onTerminate();
        }, lookMs).unref();

  for (const name of endingSignals) {
    if (!process.listeners(name).includes(ignoreEnding)) process.on(name, ignoreEnding);
    process.once(name, onTerminate);
  }
  if (signal.aborted) onInterrupt();
  signal.addEventListener("abort", onInterrupt);
  process.on("uncaughtException", onUncaught);
  process.on("unhandledRejection", onUncaught);
  return {
    ended: promise,
    fail,
    close() {
      clearInterval(looking);
      signal.removeEventListener("abort", onInterrupt);
      for (const name of endingSignals) process.removeListener(name, onTerminate);
      process.removeListener("uncaughtException", onUncaught);
      process.removeListener("unhandledRejection", onUncaught);
    },
  };
}
