import type { SmtpReply } from "./reply-reader.ts";

/**
 * What a reply says.
 *
 * About the mail: `taken`, `deferred` and `refused`; `overflow`: this recipient is one too many for this transaction.
 *
 * About the server or the connection, whatever the mail: `closing`: it ends the connection; `limited`: it takes no more for now;
 * `settings`: it wants a login, or another one; `unclear`: it may be the connection, the server or the mail.
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

/** What is asked for by no word of the mail: a login, or TLS before it (RFC 4954 section 6). */
const loginRefusals = new Set([530, 534, 535, 538]);
/** Refusals that tell of the address after MAIL FROM, its parameters, or the size. */
const senderRefusals = new Set([501, 552, 553, 555]);
/** Refusals that mean the sender itself where no enhanced code says more. */
const barredCodes = new Set([550, 551, 553, 554]);
/** How servers say that it is their limit and not the mail. */
const limitWords =
  /throttl|slow(?:er| down)|\brate\b|too (?:many|much|fast|frequent)|(?:limit|quota|allowance) (?:is |has been )?(?:exceed|reach)|exceed\w*.*(?:limit|quota|rate)/i;
/** How servers say that an account may not send as somebody. */
const accountWords =
  /not (?:authori[sz]ed|allowed|permitted|owned|verified)|send ?as|sender (?:address )?(?:rejected|denied|refused)|unverified/i;
const loginWords = /auth|log ?in|relay/i;

/**
 * What MAIL FROM's reply says. `lacksLogin`: the server may want a login that was not made. `isAccount`: it is somebody's own account
 * there, whose settings are at fault where it may not send as the sender: that can be mended, and fails no ten thousand mails till then.
 */
export function judgeSender(
  reply: SmtpReply,
  { lacksLogin, isAccount }: { lacksLogin: boolean; isAccount: boolean },
): Verdict {
  const { code } = reply;
  const common = judgeAnywhere(reply);
  if (common !== undefined) return common;
  if (loginRefusals.has(code) || (lacksLogin && isLoginWanted(reply))) return "settings";
  const { subject, detail } = enhancedOf(reply);
  const isBarred =
    subject === 7 || accountWords.test(reply.text) || (subject === undefined && barredCodes.has(code));
  if (isAccount && code >= 500 && isBarred) return "deferred";
  // RFC 3463: x.1 tells of an address, x.6 of the content, x.3.4 of the size.
  const isAboutMail =
    subject === 1 || subject === 6 || (subject === 3 && detail === 4) || senderRefusals.has(code);
  if (isAboutMail) return code >= 500 ? "refused" : "deferred";
  if (isLimit(reply) || (code < 500 && (subject === 3 || subject === 4))) return "limited";
  return "unclear";
}

/** What RCPT TO's reply says. `lacksLogin`: the server may want a login that was not made. */
export function judgeRecipient(reply: SmtpReply, lacksLogin: boolean): Verdict {
  const { code, text } = reply;
  const common = judgeAnywhere(reply);
  if (common !== undefined) return common;
  if (loginRefusals.has(code)) return "settings";
  // A server may well relay to some without a login: this tells of no mailbox, and holds up nobody else.
  if (lacksLogin && isLoginWanted(reply)) return "deferred";
  if (code === 452 || code === 552) {
    // RFC 5321 section 4.5.3.1.10: 552 was once written for 452, too many recipients. 5.2.2 is a full mailbox.
    const { subject, detail } = enhancedOf(reply);
    const isOverflow = (subject === 5 && detail === 3) || (subject !== 2 && /too many/i.test(text));
    return isOverflow ? "overflow" : "deferred";
  }
  if (isLimit(reply)) return "limited";
  return code >= 500 ? "refused" : "deferred";
}

/** What DATA's reply says where it is not 354. */
export function judgeData(reply: SmtpReply): Verdict {
  if (loginRefusals.has(reply.code)) return "settings";
  // What was accepted a moment ago is forgotten, or the reply is another command's.
  if (reply.code === 421 || reply.code === 503 || reply.code < 400) return "closing";
  return judgeContent(reply);
}

/** What the reply to the content says. Every 5xx is the content's here, and 421 no more than 4xx. */
export function judgeContent(reply: SmtpReply): Verdict {
  const { code } = reply;
  if (code >= 200 && code < 300) return "taken";
  if (isLimit(reply)) return "limited";
  return code >= 500 ? "refused" : "deferred";
}

function judgeAnywhere({ code }: SmtpReply): Verdict | undefined {
  if (code >= 200 && code < 300) return "taken";
  // An answer that fits another command: nothing on this connection can be believed any more.
  if (code === 421 || code < 400) return "closing";
  return undefined;
}

/** 554 is "no service here" as a first refusal; others say it in words. 503 wants another command before. */
function isLoginWanted({ code, text }: SmtpReply): boolean {
  return code === 503 || code === 554 || (code >= 500 && loginWords.test(text));
}

/** Whether a temporary refusal tells of a limit of the server's; what tells of a mailbox (x.1, x.2) never does. */
function isLimit(reply: SmtpReply): boolean {
  const { subject } = enhancedOf(reply);
  return reply.code < 500 && subject !== 1 && subject !== 2 && limitWords.test(reply.text);
}

function enhancedOf({ text }: SmtpReply): { subject?: number; detail?: number } {
  const [, subject, detail] = /^\d{3} [245]\.(\d{1,3})\.(\d{1,3})\b/.exec(text) ?? [];
  return subject === undefined ? {} : { subject: Number(subject), detail: Number(detail) };
}
