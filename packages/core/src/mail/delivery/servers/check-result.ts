import type {
  HandoverStep,
  MailHold,
  MailMessage,
  MailResult,
  RecipientResult,
} from "../../../ports/mailer.ts";
import { addressKey } from "../../../rules/address-key.ts";
import { parseMailbox } from "../../../rules/addresses.ts";
import { oneLine } from "../../../rules/one-line.ts";
import type { Runtime } from "../../../service/runtime.ts";

const outcomes: unknown[] = ["accepted", "deferred", "refused"] satisfies RecipientResult["outcome"][];
/** Codes of SMTP have three digits (RFC 5321 section 4.2). */
const maxCode = 999;

type Unchecked<T> = { [K in keyof T]?: unknown } | null | undefined;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isText = (value: unknown): value is string => typeof value === "string";
const isTextIfAny = (value: unknown): boolean => value === undefined || isText(value);
const isCodeIfAny = (value: unknown): boolean =>
  value === undefined || (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxCode);

/** Whether it is known how a recipient fared, whatever else of the result is wrong. */
const isTold = (one: Unchecked<RecipientResult>): one is Unchecked<RecipientResult> & RecipientResult =>
  isObject(one) && isText(one.address) && outcomes.includes(one.outcome);

function faultInRecipient(one: Unchecked<RecipientResult>): string | undefined {
  if (!isObject(one) || !isText(one.address)) return "a recipient has no address";
  if (!outcomes.includes(one.outcome)) return "an outcome is not accepted, deferred or refused";
  if (!isText(one.reply)) return "a reply is not a text";
  return isCodeIfAny(one.code) ? undefined : "a code is not an integer of three digits";
}

const isSoundHold = (held: Unchecked<MailHold>): boolean =>
  isObject(held) && isText(held.cause) && isText(held.reason) && Number.isFinite(held.retryAfterMs);

const isSoundStep = (one: Unchecked<HandoverStep>): boolean =>
  isObject(one) &&
  isText(one.step) &&
  Number.isFinite(one.ms) &&
  isCodeIfAny(one.code) &&
  isTextIfAny(one.reply) &&
  isTextIfAny(one.error);

function faultIn(result: Unchecked<MailResult>): string | undefined {
  if (!isObject(result) || !Array.isArray(result.recipients)) return "recipients is not a list";
  const { inDoubt, held, steps } = result;
  for (const one of result.recipients) {
    const fault = faultInRecipient(one);
    if (fault !== undefined) return fault;
  }
  if (typeof inDoubt !== "boolean") return "inDoubt is not true or false";
  if (held !== undefined && !isSoundHold(held)) return "held has no cause, reason or retryAfterMs";
  return steps === undefined || (Array.isArray(steps) && steps.every(isSoundStep))
    ? undefined
    : "steps is not a list of steps";
}

/**
 * Returns the mailer's result. One of a host's mailer in JavaScript may not be what the port says: then it could not be
 * stored, and the message would be sent again each time its lease expires. What can be read of it counts: a recipient
 * with an outcome has that, as one who accepted the message must not get it again. The attempt is in doubt. A reply of
 * several lines, or of a megabyte, becomes what the port says.
 */
export function checkResult(
  { logger }: Pick<Runtime, "logger">,
  message: MailMessage,
  result: MailResult,
): MailResult {
  const { to } = message.envelope;
  const fault = faultIn(result);
  if (fault === undefined) {
    const { recipients, missing } = named(to, result.recipients);
    if (missing.length > 0 && result.held === undefined)
      logger.warn(
        { emailId: message.emailId, missing: missing.length },
        "the mailer's result omits recipients of the envelope, who get the message again",
      );
    return inOneLine(recipients === result.recipients ? result : { ...result, recipients });
  }
  const reply = `the mailer's result can't be read: ${fault}`;
  logger.error({ emailId: message.emailId }, reply);
  const told: unknown = (result as Unchecked<MailResult>)?.recipients;
  const readable = (Array.isArray(told) ? told : []).filter(isTold).map(({ code, ...one }) => ({
    ...one,
    reply: isText(one.reply) ? one.reply : reply,
    ...(isCodeIfAny(code) && code !== undefined ? { code } : {}),
  }));
  const { recipients, missing } = named(to, readable);
  const others = missing.map((address) => ({ address, outcome: "deferred", reply }) as const);
  return inOneLine({ recipients: [...recipients, ...others], inDoubt: true });
}

const missingIn = (to: readonly string[], results: readonly RecipientResult[]): string[] =>
  to.filter((address) => !results.some((one) => one.address === address));

/**
 * Names the recipients as the envelope does, and returns those that are missing. Mail libraries answer an address in
 * lower case, in angle brackets, or its domain in Unicode: taken for no recipient's, it would make the one meant get the
 * message again.
 */
function named(
  to: readonly string[],
  results: RecipientResult[],
): { recipients: RecipientResult[]; missing: string[] } {
  const missing = missingIn(to, results);
  if (missing.length === 0) return { recipients: results, missing };
  const recipients = results.map((one) => {
    const [meant, another] = to.includes(one.address)
      ? []
      : missing.filter((address) => keyOf(address) === keyOf(one.address));
    return meant === undefined || another !== undefined ? one : { ...one, address: meant };
  });
  return { recipients, missing: missingIn(to, recipients) };
}

const keyOf = (address: string): string => addressKey(parseMailbox(address)?.address ?? address);

/** The result itself if its texts are fit to keep, as all of the SMTP mailer are. */
function inOneLine(result: MailResult): MailResult {
  const { recipients, held } = result;
  const isFit =
    recipients.every(({ reply }) => oneLine(reply) === reply) &&
    (held === undefined || oneLine(held.reason) === held.reason);
  if (isFit) return result;
  return {
    ...result,
    recipients: recipients.map((one) => ({ ...one, reply: oneLine(one.reply) })),
    ...(held === undefined ? {} : { held: { ...held, reason: oneLine(held.reason) } }),
  };
}
