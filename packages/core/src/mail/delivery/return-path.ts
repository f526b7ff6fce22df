import { returnPathOf } from "../../inbound/rules/report-token.ts";
import type { MailMessage } from "../../ports/mailer.ts";
import type { ClaimedEmail } from "../../ports/storage/email-queue.ts";
import type { Runtime } from "../../service/runtime.ts";

/**
 * The sender of the envelope through the operator's server: a return path that names the e-mail and its recipient, where there is a domain
 * for such (platform.md P7); the message's own otherwise.
 */
export function envelopeSender(
  { config, reportTokens }: Pick<Runtime, "config" | "reportTokens">,
  { lease, recipients }: Pick<ClaimedEmail, "lease" | "recipients">,
  { envelope }: Pick<MailMessage, "envelope">,
): string {
  const { returnPathDomain } = config;
  // The null sender asks for no bounce.
  if (returnPathDomain === undefined || envelope.from === "") return envelope.from;
  const [only, ...others] = envelope.to;
  const place = others.length > 0 ? -1 : recipients.findIndex(({ address }) => address === only);
  const token = reportTokens.make({ row: lease.row, position: place < 0 ? undefined : place });
  return returnPathOf(token, returnPathDomain);
}
