import { emailDetailsWire } from "@posthorn/http/wire";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { operatorCall } from "../../program/connection/operator-call.ts";
import { type EmailDetails, getEmail } from "../../service/wait-for-email.ts";

/** Reads an e-mail. At the database, its id is enough, also for the service's own e-mails. */
export async function readEmail(
  context: CommandContext,
  emailId: string,
  named: string | undefined,
): Promise<EmailDetails> {
  const { kind } = await context.api();
  if (kind === "server" || named !== undefined)
    return await getEmail(await context.inWorkspace(named), emailId);
  const posthorn = await context.posthorn();
  return emailDetailsWire.from(await posthorn.emails.get({ emailId }, operatorCall("all")));
}
