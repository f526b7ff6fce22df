import type { MailMessage, MailResult, RecipientResult } from "../../ports/mailer.ts";
import type { Runtime } from "../../service/runtime.ts";

const outcomes: unknown[] = ["accepted", "deferred", "refused"] satisfies RecipientResult["outcome"][];

type Unchecked<T> = { [K in keyof T]?: unknown } | null | undefined;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function faultInRecipient(one: Unchecked<RecipientResult>): string | undefined {
  if (!isObject(one) || typeof one.address !== "string") return "a recipient has no address";
  if (!outcomes.includes(one.outcome)) return "an outcome is not accepted, deferred or refused";
  if (typeof one.reply !== "string") return "a reply is not a text";
  return one.code === undefined || Number.isInteger(one.code) ? undefined : "a code is not an integer";
}

function faultIn(result: Unchecked<MailResult>): string | undefined {
  if (!isObject(result) || !Array.isArray(result.recipients)) return "recipients is not a list";
  const { inDoubt, held, steps } = result;
  for (const one of result.recipients) {
    const fault = faultInRecipient(one);
    if (fault !== undefined) return fault;
  }
  if (typeof inDoubt !== "boolean") return "inDoubt is not true or false";
  if (held !== undefined && !(isObject(held) && "retryAfterMs" in held && Number.isFinite(held.retryAfterMs)))
    return "held has no retryAfterMs";
  return steps === undefined || Array.isArray(steps) ? undefined : "steps is not a list";
}

/**
 * Returns the mailer's result. One of a host's mailer in JavaScript may not be what the port says: then it could not be
 * stored, and the message would be sent again each time its lease expires. What can be read of it counts, and the
 * attempt is in doubt.
 */
export function checkResult(
  { logger }: Pick<Runtime, "logger">,
  message: MailMessage,
  result: MailResult,
): MailResult {
  const fault = faultIn(result);
  if (fault === undefined) return result;
  const reply = `the mailer's result can't be read: ${fault}`;
  logger.error({ emailId: message.emailId }, reply);
  const told: unknown = (result as Unchecked<MailResult>)?.recipients;
  const sound = (Array.isArray(told) ? told : []).filter((one) => faultInRecipient(one) === undefined);
  const others = message.envelope.to
    .filter((address) => !sound.some((one) => one.address === address))
    .map((address) => ({ address, outcome: "deferred", reply }) as const);
  return { recipients: [...sound, ...others], inDoubt: true };
}
