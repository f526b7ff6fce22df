import { returnPathOf } from "../../../inbound/rules/report-token.ts";
import type { MailMessage } from "../../../ports/mailer.ts";
import type { ClaimedEmail } from "../../../ports/storage.ts";
import type { Runtime } from "../../../service/runtime.ts";

/**
 * Returns an envelope sender that identifies the e-mail and its recipient, at a domain whose mail comes back to this
 * service (platform.md P7); the message's own if there is no such domain.
 */
export function envelopeSender(
  { reportTokens }: Pick<Runtime, "reportTokens">,
  { lease, recipients }: Pick<ClaimedEmail, "lease" | "recipients">,
  { envelope }: Pick<MailMessage, "envelope">,
  returnPathDomain: string | undefined,
): string {
  // The null sender asks for no bounce.
  if (returnPathDomain === undefined || envelope.from === "") return envelope.from;
  const [only, ...others] = envelope.to;
  const place = others.length > 0 ? -1 : recipients.findIndex(({ address }) => address === only);
  const token = reportTokens.make({ row: lease.row, position: place < 0 ? undefined : place });
  return returnPathOf(token, returnPathDomain);
}
