import type { SmtpReply } from "../connection/reply-reader.ts";

/**
 * Meaning of a reply.
 *
 * About the mail: `taken`, `deferred` and `refused`; `overflow`: this recipient is one too many for this transaction.
 *
 * About the server or the connection, whatever the mail: `closing`: it ends the connection; `limited`: it accepts no
 * more for now; `settings`: it requires a login, or another one; `unclear`: the connection, the server or the mail may
 * be at fault.
 */
export type Verdict =
  | "taken"
  | "deferred"
  | "refused"
  | "overflow"
  | "closing"
  | "limited"
  | "settings"
  | "unclear";

/** Codes that refuse for a missing login, or missing TLS before it, and not for the mail (RFC 4954 section 6). */
const loginRefusals = new Set([530, 534, 535, 538]);
/** Refusals of the sender's address, its parameters, or the size: Courier's (1.0.16) code for that is 534. */
const senderRefusals = new Set([501, 534, 552, 553, 555]);
/** Refusals of the sender itself, if there is no enhanced code that says more. */
const barredCodes = new Set([550, 551, 553, 554]);
/** Phrases by which servers name a limit of their own. */
const limitWords =
  /throttl|slow(?:er| down)|\brate\b|too (?:many|much|fast|frequent)|(?:limit|quota|allowance) (?:is |has been )?(?:exceed|reach)|exceed.*(?:limit|quota|rate)/i;
/** Phrases by which servers say that an account may not send as an address. */
const accountWords =
  /not (?:authori[sz]ed|allowed|permitted|owned|verified)|send ?as|sender (?:address )?(?:rejected|denied|refused)|unverified/i;
/** Phrases by which servers say, after the sender, that an account has sent all that it may for now. */
const spentWords =
  /\b(?:send|sending|daily|hourly|24-hour|outgoing|relay|submission)\b[^.]{0,40}\b(?:quota|limit|allowance)\b/i;
/** Words about the message's size. */
const sizeWords = /\bsize\b|too (?:big|large)/i;
/** Words about a mailbox that takes no more, rather than one from which too much is sent. */
const mailboxWords = /^(?!.*(?:send|sent|submi|outgoing|outbound)).*\b(?:mail ?box|inbox|maildir)/i;
/** Words for a refusal of each message until it comes again, which only that message's wait ends, whatever limit they name. */
const greyWords = /\bgr[ae]y-?list/i;
/** Names of parameters that request reports (RFC 3461), and words for parameters. */
const parameterWords = /param|option|argument|\b(?:NOTIFY|ORCPT|RET|ENVID|DSN)\b/i;
const loginWords = /auth|log(?:ged)?[ -]?in|relay/i;

/**
 * Judges the reply to MAIL FROM. `lacksLogin`: the server may require a login that was not made. `isAccount`: the
 * server is somebody's own account. If that may not send as the sender, the settings are at fault, and if it has sent all
 * that it may today, none of its mail is: both change, so ten thousand mails must not fail until then.
 */
export function judgeSender(
  reply: SmtpReply,
  { lacksLogin, isAccount }: { lacksLogin: boolean; isAccount: boolean },
): Verdict {
  const { code } = reply;
  const common = judgeAnywhere(reply);
  if (common !== undefined) return common;
  // 503 requires another command first, whatever the mail. Exchange requires TLS by 451 5.7.3, as if it could do without later.
  const words = wordsOf(reply);
  const isSetting = isLoginRefusal(reply) || code === 503 || /\bSTARTTLS\b/i.test(words);
  if (isSetting || (lacksLogin && isLoginWanted(reply))) return "settings";
  const { subject, detail } = enhancedOf(reply);
  const isBarred =
    subject === 7 || accountWords.test(words) || (subject === undefined && barredCodes.has(code));
  if (isAccount && code >= 500 && isBarred) return "deferred";
  // RFC 3463: x.1 concerns an address, x.6 the content, x.3.4 the size.
  const isAboutMail =
    subject === 1 || subject === 6 || (subject === 3 && detail === 4) || senderRefusals.has(code);
  if (isAboutMail) return code >= 500 ? "refused" : "deferred";
  if (code < 500 && greyWords.test(words)) return "deferred";
  if (isAccount && code >= 500 && limitWords.test(words)) return "deferred";
  if (isLimit(reply) || (code < 500 && (subject === 3 || subject === 4))) return "limited";
  return "unclear";
}

/** Judges the reply to RCPT TO. `lacksLogin`, `isAccount`: see `judgeSender`. */
export function judgeRecipient(
  reply: SmtpReply,
  { lacksLogin, isAccount }: { lacksLogin: boolean; isAccount: boolean },
): Verdict {
  const { code } = reply;
  const common = judgeAnywhere(reply);
  if (common !== undefined) return common;
  const words = wordsOf(reply);
  if (isLoginRefusal(reply)) return "settings";
  // A server may well relay to some addresses without a login: this says nothing about the mailbox, and must not delay
  // other recipients.
  if (lacksLogin && isLoginWanted(reply)) return "deferred";
  const { subject, detail } = enhancedOf(reply);
  // RFC 3463 section 3.6: the message should be sent in two, whatever the code. Dovecot and OpenSMTPD say 451 4.5.3,
  // others 550 or 552 5.5.3; Courier (1.0.16) says 431 or 531, Haraka 450 "Too many recipient attempts" (3.3.4), both
  // without an enhanced code.
  if (subject === undefined ? /too many recipient/i.test(words) : subject === 5 && detail === 3)
    return "overflow";
  const isFull = code === 452 || code === 552;
  // RFC 5321 section 4.5.3.1.10: 552 used to mean 452, too many recipients. Otherwise it is as final as any 5xx.
  if (isFull && subject !== 2 && /too many/i.test(words)) return "overflow";
  // Its words name the mailbox's limits, not the server's.
  if (code === 452) return "deferred";
  if (isLimit(reply)) return "limited";
  return code >= 500 && !(isAccount && namesAccount(reply)) ? "refused" : "deferred";
}

/** Judges a refusal of DATA. `isAccount`: see `judgeSender`. */
export function judgeData(reply: SmtpReply, isAccount: boolean): Verdict {
  if (isLoginRefusal(reply)) return "settings";
  // The server has forgotten recipients it just accepted.
  if (reply.code === 421 || reply.code === 503) return "closing";
  return judgeContent(reply, isAccount);
}

/**
 * Judges the reply to the content. A 5xx concerns the content here, unless it says of the account that it may not send as
 * the sender, as Microsoft 365 does, or nothing more for now, as Gmail does to DATA. 421 counts as any 4xx.
 */
export function judgeContent(reply: SmtpReply, isAccount: boolean): Verdict {
  const { code } = reply;
  if (code >= 200 && code < 300) return "taken";
  if (isLimit(reply)) return "limited";
  return code >= 500 && !(isAccount && namesAccount(reply)) ? "refused" : "deferred";
}

/** Whether a refusal concerns what the account may send, now or as this sender. */
function namesAccount(reply: SmtpReply): boolean {
  const words = wordsOf(reply);
  if (/send ?as/i.test(words)) return true;
  const { subject, detail } = enhancedOf(reply);
  // A recipient may have a daily limit of its own; x.3.4 is the message's size, whatever limit the words name.
  const isOther = subject === 1 || subject === 2 || (subject === 3 && detail === 4);
  return !isOther && spentWords.test(words) && !sizeWords.test(words);
}

/** Whether a refusal of DATA or the content says that the message should be sent in two (RFC 3463 section 3.6). */
export function namesRecipientCount(reply: SmtpReply): boolean {
  const { subject, detail } = enhancedOf(reply);
  if (subject !== undefined) return subject === 5 && detail === 3;
  return /too many recipients|recipient count exceed/i.test(wordsOf(reply));
}

/** Whether a refusal of MAIL FROM or RCPT TO may concern the parameters rather than the address. */
export function refusesParameters(reply: SmtpReply): boolean {
  const { code } = reply;
  const { subject, detail } = enhancedOf(reply);
  if (code === 555 || (code >= 500 && subject === 5 && detail === 4)) return true;
  return (code === 501 || code === 504) && subject === undefined && parameterWords.test(wordsOf(reply));
}

/** RFC 4954 section 6; but Courier (1.0.16) says `534 SIZE=Message too big.` to MAIL FROM. */
const isLoginRefusal = (reply: SmtpReply): boolean =>
  loginRefusals.has(reply.code) && !(reply.code === 534 && sizeWords.test(wordsOf(reply)));

function judgeAnywhere({ code }: SmtpReply): Verdict | undefined {
  if (code >= 200 && code < 300) return "taken";
  // This reply fits another command: replies on this connection can't be trusted any more.
  if (code === 421 || code < 400) return "closing";
  return undefined;
}

/**
 * 554 as a first refusal means "no service here", unless its code names an address (x.1, x.2); other servers say so in words. 503
 * requires another command first.
 */
function isLoginWanted(reply: SmtpReply): boolean {
  const { code } = reply;
  const { subject } = enhancedOf(reply);
  const isBarred = code === 554 && subject !== 1 && subject !== 2;
  return code === 503 || isBarred || (code >= 500 && loginWords.test(wordsOf(reply)));
}

/** Whether a refusal of MAIL FROM can mean nothing but that a login is wanted, whoever the sender is. */
export const namesLogin = (reply: SmtpReply): boolean =>
  reply.code === 503 ||
  (reply.code >= 500 && /\bauth\b|authenticat|\blog(?:ged)?[ -]?in\b/i.test(wordsOf(reply)));

/** Whether a temporary refusal names a limit of the server; codes (x.1, x.2) and words about a mailbox or greylisting never do. */
export function isLimit(reply: Pick<SmtpReply, "code" | "text">): boolean {
  const { subject } = enhancedOf(reply);
  if (reply.code >= 500 || subject === 1 || subject === 2) return false;
  const words = wordsOf(reply);
  return limitWords.test(words) && !mailboxWords.test(words) && !greyWords.test(words);
}

/** A reply without the addresses it repeats: `authors@example.net` speaks of no login, and `info@first-rate.example` of no rate. */
function wordsOf({ text }: Pick<SmtpReply, "text">): string {
  if (!text.includes("@")) return text;
  return text
    .split(" ")
    .filter((word) => !word.includes("@"))
    .join(" ");
}

function enhancedOf({ text }: Pick<SmtpReply, "text">): { subject?: number; detail?: number } {
  const [, subject, detail] = /^\d{3} [245]\.(\d{1,3})\.(\d{1,3})\b/.exec(text) ?? [];
  return subject === undefined ? {} : { subject: Number(subject), detail: Number(detail) };
}
