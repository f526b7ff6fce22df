import type { SmtpConnection } from "../connection/open-connection.ts";
import type { ServerAccess } from "../pool/server/server-access.ts";
import type { Delivery, Ending } from "./delivery.ts";
import { sizeLimit } from "./size-limit.ts";

/**
 * Refusals that are known before anything is sent. What the server's own offer rules out has the code by which it would
 * refuse, so that it counts as a bounce like that refusal. `undefined` if the server may have the message.
 */
export function refusalOf(
  { requiresTls, needsLogin, isInternational, source }: Delivery,
  { isSecure, isLoggedIn, extensions }: SmtpConnection,
): Ending | undefined {
  if (needsLogin === true && !isLoggedIn) return { outcome: "deferred", reply: noLogin };
  if (requiresTls === true && !isSecure)
    return {
      outcome: "deferred",
      reply: `the mail requires TLS, which the ${extensions.has("STARTTLS") ? "connection to the mail server lacks" : "mail server does not support"}`,
    };
  if (isInternational && !extensions.has("SMTPUTF8"))
    return {
      outcome: "refused",
      code: 553,
      reply: "553 5.6.7 the mail server accepts no addresses beyond ASCII (it does not offer SMTPUTF8)",
    };
  // RFC 1870 section 6.2.
  const most = sizeLimit(extensions);
  if (most !== undefined && source.size > most)
    return {
      outcome: "refused",
      code: 552,
      reply: `552 5.3.4 (server's limit ${most}) the message has ${source.size} bytes`,
    };
  return undefined;
}

export const noLogin = "the server offers no login";

/** Whether a new connection may have the login that the message needs, or the TLS that the message requires, and that this one lacks after a fault of it. */
export const mayGain = (
  { isTlsOptional }: Pick<ServerAccess, "isTlsOptional">,
  { requiresTls, needsLogin }: Delivery,
  { isSecure, isLoggedIn, extensions }: SmtpConnection,
): boolean =>
  (needsLogin === true && !isLoggedIn) ||
  (isTlsOptional && requiresTls === true && !isSecure && extensions.has("STARTTLS"));
