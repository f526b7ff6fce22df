import { setTimeout as sleep } from "node:timers/promises";
import type { Reply } from "@posthorn/client";
import type { Command } from "commander";
import type { Api } from "../program/connection/api.ts";
import type { CommandContext } from "../program/connection/command-context.ts";
import { operatorCall } from "../program/connection/operator-call.ts";
import { askThroughFailures } from "../program/connection/passing-failures.ts";
import { CliError } from "../program/errors/cli-error.ts";
import { wholeNumber } from "../program/settings/option-values.ts";
import { noWorker, noWorkerAdvice } from "./no-worker.ts";

export type EmailDetails = Reply<"GET /emails/{id}">;

const pollMs = 200;

/** Adds the options for waiting. */
export function addWaiting(verb: Command): Command {
  return verb
    .option("--wait", "wait until every recipient is settled; exit with 1 if one was refused")
    .option("--wait-seconds <number>", "the longest to wait", wholeNumber(1, 86_400), 60);
}

/** Values of the options that `addWaiting` adds. */
export interface Waiting {
  wait?: boolean;
  waitSeconds: number;
}

/**
 * Waits until an e-mail is settled, across restarts of the server or the database, and returns it. Throws `unavailable`
 * if that takes too long, and the interruption's reason on Ctrl-C.
 */
export async function waitForEmail(
  context: Pick<CommandContext, "posthorn" | "signal" | "output">,
  api: Api,
  { emailId: id, seconds }: { emailId: string; seconds: number },
): Promise<EmailDetails> {
  if (api.kind === "database") await warnWithoutWorkers(context);
  const end = AbortSignal.timeout(seconds * 1000);
  const waiting = { signal: AbortSignal.any([context.signal, end]), tell: context.output.warn };
  try {
    for (;;) {
      const email = await askThroughFailures(() => getEmail(api, id), waiting);
      if (!["scheduled", "queued", "sending"].includes(email.status)) return email;
      await sleep(pollMs, undefined, waiting);
    }
  } catch (error) {
    if (!end.aborted || context.signal.aborted) throw error;
    throw new CliError(
      "unavailable",
      `The e-mail is accepted, but was not settled within ${seconds} seconds.`,
      `Follow it with: posthorn emails show ${id}. Is a worker running? posthorn queue status`,
    );
  }
}

async function warnWithoutWorkers({
  posthorn: open,
  output,
}: Pick<CommandContext, "posthorn" | "output">): Promise<void> {
  const { workers } = await (await open()).queue.status({}, operatorCall());
  if (workers.length === 0) output.warn(`${noWorker} ${noWorkerAdvice}`);
}

/** Reads an e-mail with the caller's credentials: a key, or a login in the workspace. */
export async function getEmail({ isKey, request }: Api, id: string): Promise<EmailDetails> {
  return isKey
    ? await request("GET /emails/{id}", { id })
    : await request("GET /workspaces/current/emails/{id}", { id });
}
