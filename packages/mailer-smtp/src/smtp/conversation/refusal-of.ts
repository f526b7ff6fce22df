import type { SmtpConnection } from "../connection/open-connection.ts";
import type { Delivery, Ending } from "./delivery.ts";
import { sizeLimit } from "./size-limit.ts";

/**
 * Refusals that are known before anything is sent: no server has replied, so they have no code. `undefined` if the
 * server may have the message.
 */
export function refusalOf(
  { requiresTls, isInternational, source }: Delivery,
  { isSecure, extensions }: SmtpConnection,
): Ending | undefined {
  if (requiresTls === true && !isSecure)
    return {
      outcome: "deferred",
      reply: "the mail requires TLS, which the mail server does not support",
    };
  if (isInternational && !extensions.has("SMTPUTF8"))
    return {
      outcome: "refused",
      reply: "553 5.6.7 the mail server accepts no addresses beyond ASCII (it does not offer SMTPUTF8)",
    };
  // The code with which a server would refuse the size (RFC 1870 section 6.2).
  const most = sizeLimit(extensions);
  if (most !== undefined && source.size > most)
    return {
      outcome: "refused",
      reply: `552 5.3.4 (server's limit ${most}) the message has ${source.size} bytes`,
    };
  return undefined;
}
