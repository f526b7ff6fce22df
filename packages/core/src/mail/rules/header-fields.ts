/**
 * Names of fields that the service writes itself, that route mail, that request a reader's address, or that only a mail
 * server may set.
 */
const ownFields = new Set(
  (
    "from to cc bcc sender reply-to subject date message-id mime-version return-path delivered-to apparently-to " +
    "errors-to bounces-to encrypted received received-spf authentication-results domainkey-signature " +
    "return-receipt-to return-receipt-requested read-receipt-to registered-mail-reply-requested-by " +
    "generate-delivery-report prevent-nondelivery-report x-confirm-reading-to x-pmrqc " +
    "x-original-to x-original-from x-envelope-from x-envelope-to x-rcpt-to x-failed-recipients x-sender " +
    "x-authentication-warning x-authenticated-sender x-authenticated-user auto-submitted " +
    "bimi-selector bimi-indicator bimi-location __proto__ constructor prototype"
  ).split(" "),
);
const ourFamilies = new RegExp(
  `^(?:${[
    "content|dkim|arc|resent|x-service|x-posthorn|original|downgraded|tls",
    "disposition-notification|autocrypt|x-ms-exchange|x-microsoft|x-forefront|x-google|x-gm|x-spam|x-virus|x-rspamd",
  ].join("|")})(?:-|$)`,
);
/**
 * Fields from which relays take recipients, whoever the envelope names: SendGrid's, SparkPost's and Mandrill's. They would be
 * counted in no quota and looked for among no suppressions.
 */
const relayFields = new Set(["x-smtpapi", "x-msys-api", "x-mc-bccaddress"]);
/**
 * Families of fields by which a relay's customer chooses how that handles a mail: its configuration, stream, pool of
 * addresses, template, tags or tracking. Those of SES, Postmark, Mailgun, Mandrill, SparkPost, Mailjet, Brevo,
 * MailerSend, Mailtrap, MailerQ and PowerMTA.
 */
const steeringFamilies = /^x-(?:ses|pm|mailgun|mc|msys|mj|mailjet|mailin|sib|mailersend|mt|mq|virtual)-/;
const validName = /^[!-9;-~]+$/;
/** Characters of a name: a line of a header's usual length. */
const longestName = 76;
const maxFieldBytes = 998;
/** Bytes of References, which has an id of each earlier message of a conversation and is folded between them. */
const maxReferences = 8_192;

/**
 * Returns why a caller's header field is refused, or `undefined` if it may be sent (decisions §7, RFC 5322 §2.2 and
 * §3.6.8). Refused are fields that would change sender, recipients or structure, or that are trusted because a mail
 * server sets them.
 */
export function headerFault(name: string, value: string): string | undefined {
  if (!validName.test(name)) return "is not a header field name";
  if (name.length > longestName) return `has a name of more than ${longestName} characters`;
  const key = name.toLowerCase();
  if (ownFields.has(key) || ourFamilies.test(key)) return `${name} is set by the service or by mail servers`;
  if (relayFields.has(key)) return `${name} gives a relay further recipients`;
  if (typeof value !== "string") return `${name} must be text`;
  if (/[\r\n\u2028\u2029\u0085]/.test(value)) return `${name} must be a single line`;
  if (/[^\P{Cc}\t]|\p{Cs}/u.test(value)) return `${name} contains a control character`;
  if (value.trim() === "") return `${name} is empty`;
  const longest = key === "references" ? maxReferences : maxFieldBytes;
  if (name.length + 2 + Buffer.byteLength(value) > longest) return `${name} is longer than ${longest} bytes`;
  return undefined;
}

/**
 * Whether a relay obeys the field as a wish of the account that it belongs to. That of the operator is at the wishes of
 * workspaces alone for which somebody vouches.
 */
export const steersRelay = (name: string): boolean => steeringFamilies.test(name.toLowerCase());
