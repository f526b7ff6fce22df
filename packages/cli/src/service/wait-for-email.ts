import { setTimeout as sleep } from "node:timers/promises";
import type { Posthorn } from "@posthorn/core";
import type { Command } from "commander";
import { CliError } from "../program/cli-error.ts";
import type { CommandContext } from "../program/command-context.ts";
import { operatorCall } from "../program/operator-call.ts";
import { wholeNumber } from "../program/option-values.ts";

export type EmailDetails = Awaited<ReturnType<Posthorn["emails"]["getForWorkspace"]>>;

const pollMs = 200;
/** Ms without a sign of life after which a worker is taken for dead. */
const aliveMs = 30_000;

/** Adds the options of waiting. */
export function addWaiting(verb: Command): Command {
  return verb
    .option("--wait", "wait until every recipient is settled; exit 1 where one was refused")
    .option("--wait-seconds <number>", "how long to wait at most", wholeNumber(1, 86_400), 60);
}

/** What `addWaiting` reads. */
export interface Waiting {
  wait?: boolean;
  waitSeconds: number;
}

/** The e-mail once it is settled. Throws `unavailable` where that takes too long, and the interruption's reason on Ctrl-C. */
export async function waitForEmail(
  { posthorn: open, signal, output }: Pick<CommandContext, "posthorn" | "signal" | "output">,
  workspaceId: number,
  { emailId, seconds }: { emailId: string; seconds: number },
): Promise<EmailDetails> {
  const posthorn = await open();
  const { storage } = posthorn;
  const workers = await storage.operations.listWorkers((await storage.now()) - aliveMs);
  if (workers.length === 0)
    output.warn("Nobody delivers at the moment: start posthorn serve or posthorn worker.");
  const until = performance.now() + seconds * 1000;
  while (performance.now() < until) {
    const email = await posthorn.emails.getForWorkspace({ emailId }, operatorCall(workspaceId));
    if (!["scheduled", "queued", "sending"].includes(email.status)) return email;
    await sleep(pollMs, undefined, { signal });
  }
  throw new CliError(
    "unavailable",
    `The e-mail is accepted, but was not settled within ${seconds} seconds.`,
    `See how it goes with: posthorn emails show ${emailId}. Is a worker running? posthorn queue status`,
  );
}
