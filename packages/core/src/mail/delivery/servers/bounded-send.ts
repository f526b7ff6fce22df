import { maxTimerMs } from "../../../ports/clock.ts";
import type { MailMessage, MailResult } from "../../../ports/mailer.ts";
import type { Tenure } from "../../../queue/loop/work.ts";
import type { Runtime } from "../../../service/runtime.ts";
import { checkResult } from "./check-result.ts";

/** Ms; longer than SMTP's own time-outs take together, as a host may wrap the SMTP mailer. */
const defaultTimeoutMs = 3_600_000;
/** Ms that the mailer has to return once its signal is aborted. */
const graceMs = 1_000;

/** Sends by the mailer, unless the message is no longer this worker's. */
type Send = (message: MailMessage, tenure: Tenure) => Promise<MailResult>;

/**
 * Creates the function that sends by the mailer and gives a message up after the mailer's `timeoutMs`: a host's mailer
 * that never returns would hold its slot, and prolong its lease, for ever.
 */
export function createBoundedSend(runtime: Pick<Runtime, "mailer" | "logger">): Send {
  const { mailer, logger } = runtime;
  const given = mailer.timeoutMs ?? defaultTimeoutMs;
  const timeoutMs = Math.min(given, maxTimerMs);
  if (given === Number.POSITIVE_INFINITY)
    return async (message, tenure) =>
      tenure.isStillOurs()
        ? checkResult(runtime, message, await mailer.send(message, tenure))
        : letGo(message);
  const reply = `the mailer gave no result within ${timeoutMs / 1_000} s`;

  return async (message, { signal: stopping, isStillOurs }) => {
    if (!isStillOurs()) return letGo(message);
    const aborting = new AbortController();
    const follow = () => aborting.abort(stopping.reason);
    if (stopping.aborted) follow();
    else stopping.addEventListener("abort", follow, { once: true });
    const givenUp = Promise.withResolvers<undefined>();
    let isLate = false;
    let isGivenUp = false;
    let timer = setTimeout(() => {
      isLate = true;
      aborting.abort(new DOMException(reply, "TimeoutError"));
      timer = setTimeout(() => {
        isGivenUp = true;
        givenUp.resolve(undefined);
      }, graceMs).unref();
    }, timeoutMs).unref();
    try {
      const sending = Promise.resolve(mailer.send(message, { signal: aborting.signal, isStillOurs }));
      const ended = await Promise.race([
        sending.then(
          (result) => {
            if (isGivenUp)
              logger.warn({ emailId: message.emailId }, "the mailer gave its result after it was given up");
            return checkResult(runtime, message, result);
          },
          (error: unknown) => {
            if (!isLate) throw error;
            return undefined;
          },
        ),
        givenUp.promise,
      ]);
      if (ended !== undefined && !(isLate && ended.held?.cause === "closed")) return ended;
      // Held: the message had not begun, and the mailer took the abort for the worker's stop.
      const inDoubt = ended === undefined;
      logger.error({ emailId: message.emailId, timeoutMs, inDoubt }, reply);
      const recipients = message.envelope.to.map(
        (address) => ({ address, outcome: "deferred", reply }) as const,
      );
      return { recipients, inDoubt };
    } finally {
      clearTimeout(timer);
      stopping.removeEventListener("abort", follow);
    }
  };
}

/** Returns a message that another worker may have: this process stood still while it waited. */
const letGo = ({ envelope }: MailMessage): MailResult => ({
  recipients: envelope.to.map((address) => ({
    address,
    outcome: "deferred",
    reply: "not sent in its lease",
  })),
  inDoubt: false,
  held: { cause: "closed", reason: "not sent in its lease", retryAfterMs: 0 },
});
