/** Fields that the service writes itself, that route mail, or that claim what only a mail server may. */
const OURS = new Set(
  (
    "from to cc bcc sender reply-to subject date message-id mime-version return-path delivered-to apparently-to " +
    "errors-to return-receipt-to disposition-notification-to x-original-to x-envelope-from x-envelope-to " +
    "x-rcpt-to received received-spf authentication-results domainkey-signature bounces-to encrypted " +
    "bimi-selector bimi-indicator bimi-location __proto__ constructor prototype"
  ).split(" "),
);
const OUR_FAMILIES = /^(?:content|dkim|arc|resent|x-service|x-posthorn|original|downgraded|tls)-/;
const NAME = /^[!-9;-~]{1,76}$/;
const MAX_FIELD_BYTES = 998;

/**
 * Why a caller's header field is refused, or `undefined` if it may be sent (decisions §7, RFC 5322 §2.2
 * and §3.6.8). Every field is allowed but those that would change sender, recipients or structure.
 */
export function headerFault(name: string, value: string): string | undefined {
  if (!NAME.test(name)) return "is not a header field name";
  const key = name.toLowerCase();
  if (OURS.has(key) || OUR_FAMILIES.test(key)) return `${name} is set by the service`;
  if (typeof value !== "string") return `${name} must be text`;
  if (/[\r\n\u2028\u2029\u0085]/.test(value)) return `${name} must be a single line`;
  if (/[^\P{Cc}\t]|\p{Cs}/u.test(value)) return `${name} contains a control character`;
  if (value.trim() === "") return `${name} is empty`;
  if (name.length + 2 + Buffer.byteLength(value) > MAX_FIELD_BYTES)
    return `${name} is longer than ${MAX_FIELD_BYTES} bytes`;
  return undefined;
}
