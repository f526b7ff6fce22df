import type { CommandContext } from "../program/connection/command-context.ts";
import { CliError } from "../program/errors/cli-error.ts";
import type { EmailDetails } from "../service/wait-for-email.ts";

/** Reports the outcome of an e-mail. Throws if a recipient did not get it, after the data was written. */
export function reportSettled({ output }: Pick<CommandContext, "output">, email: EmailDetails): void {
  if (output.json) output.record({}, email);
  if (email.status === "sent") {
    output.done(`Every recipient's mail server has accepted ${email.id}.`);
    return;
  }
  const refused = email.recipients.find(({ state }) => state !== "accepted");
  throw new CliError(
    "failed",
    `The e-mail ended as ${email.status.replace("_", " ")}${refused === undefined ? "" : `: ${refused.address} ${refused.state}, "${refused.last_reply}"`}.`,
    `See every recipient with: posthorn emails show ${email.id}`,
  );
}
