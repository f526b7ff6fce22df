import type { MailResult } from "../../ports/mailer.ts";
import {
  type AttemptResult,
  type ClaimedEmail,
  type EmailPayload,
  type EmailRecipient,
  type SmtpServer,
  StorageUnavailable,
  type SuppressionOrigin,
} from "../../ports/storage.ts";
import type { Tenure } from "../../queue/loop/work.ts";
import { emailLifetime, emailRetryDelay } from "../../rules/backoff.ts";
import { lacksResources } from "../../rules/lacks-resources.ts";
import type { Runtime } from "../../service/runtime.ts";
import { expired } from "../rules/expired.ts";
import { missingDomainDelay, missingSince } from "../rules/missing-domain.ts";
import { remoteIdOf } from "../rules/remote-id.ts";
import { unseal } from "../submission/sealed-content.ts";
import { type Handover, packTrace } from "./attempt-trace.ts";
import type { AttachmentReader } from "./composing/attachment-reader.ts";
import type { BodyRoom } from "./composing/body-room.ts";
import { composeMail } from "./composing/compose-mail.ts";
import { judgeError } from "./judge-error.ts";
import { leaveOutSuppressed } from "./leave-out-suppressed.ts";
import { type HandedOver, type HandOver, MailerFailed, type Rerouted } from "./servers/hand-over.ts";
import type { RouteHold } from "./servers/route-hold.ts";
import { tellingReply } from "./telling-reply.ts";
import { attemptSince, attemptsOf, type Trying, triedFor } from "./tried-for.ts";

/**
 * Attempts beyond which an e-mail of more than 48 hours is given up: two days of retries make far fewer, so these were interrupted, as
 * if the e-mail itself ended the process each time.
 */
const maxAttempts = 100;

/** What came of one claimed e-mail. */
export type Attempted = Tried | Untried;

/** An attempt, through a server of the workspace's or the operator's. */
export interface Tried {
  kind: "tried";
  claimed: ClaimedEmail;
  result: AttemptResult;
  server: SmtpServer | undefined;
}

/** No attempt: the e-mail returns to the queue. */
export type Untried =
  /** Its server accepts nothing at present, so that its route waits. */
  | { kind: "held"; claimed: ClaimedEmail; hold: RouteHold }
  /** It waits on this route from now on. */
  | { kind: "rerouted"; claimed: ClaimedEmail; route: string }
  /** It could not be tried for now, and should not be claimed again at once. */
  | { kind: "postponed"; claimed: ClaimedEmail }
  /** Something else ends its turn: a hold that another e-mail met, a pause, or the worker's stop. */
  | { kind: "returned"; claimed: ClaimedEmail };

/** Dependencies of an attempt. */
interface AttemptMeans {
  runtime: Runtime;
  handOver: HandOver;
  attachments: AttachmentReader;
  bodies: BodyRoom;
  /** Called for an e-mail that had to wait for memory, after that. */
  onAdmitted: (claimed: ClaimedEmail) => void;
  /** The worker's name. */
  worker: string;
}

interface Attempting {
  claimed: ClaimedEmail;
  /** Absent if it can't be read. */
  payload: EmailPayload | undefined;
  tenure: Tenure;
}

/** Composes and sends a claimed e-mail, and returns the result. */
export async function attemptEmail(means: AttemptMeans, attempting: Attempting): Promise<Attempted> {
  const { runtime, worker } = means;
  const { claimed, payload } = attempting;
  const startedAt = runtime.queueClock.now();
  const handed = await composeAndHandOver(means, attempting);
  if ("untried" in handed) return { kind: "postponed", claimed };
  if ("route" in handed) return { kind: "rerouted", claimed, route: handed.route };
  const { inDoubt, held, server, handovers = [], isAttempt = true } = handed;
  const endedAt = runtime.queueClock.now();
  const ageMs = endedAt - sendableSince(claimed);
  // After 48 hours a hold no longer keeps the e-mail, even if the server never returns. A pace that was set is no fault,
  // nor is it the server's that this process stops or stood still.
  if (held !== undefined && (held.isChosen === true || held.cause === "closed" || ageMs <= emailLifetime))
    return { kind: "held", claimed, hold: held };
  const isHeld = held !== undefined;
  const { triedMs, triedSince } = await triedFor(runtime, claimed, { startedAt, endedAt, ageMs, isHeld });
  const retryDelay = isExpired(claimed, startedAt)
    ? undefined
    : emailRetryDelay(await attemptSince(runtime, claimed), { ageMs: triedMs, random: runtime.random });
  const times = { endedAt, triedMs, triedSince, retryDelay };
  const { recipients, retryInMs } = judgeRecipients(claimed, handed, times);
  const before = claimed.recipients.filter(({ settledAt }) => settledAt !== undefined);
  const isSent = recipients.some(({ state }) => state === "accepted");
  const outcome = retryInMs !== undefined ? "deferred" : isSent ? "sent" : "failed";
  const result: AttemptResult = {
    lease: claimed.lease,
    emailId: claimed.email.id,
    workspaceId: claimed.email.workspaceId,
    isSealed: payload === undefined || typeof payload.data === "string",
    attempt: isAttempt
      ? {
          number: claimed.attempt,
          startedAt,
          endedAt,
          worker,
          outcome,
          inDoubt,
          reply: tellingReply(recipients, outcome),
          smtpServerId: server?.id,
          trace: packTrace(handovers, claimed.recipients),
        }
      : undefined,
    recipients,
    next:
      retryInMs === undefined
        ? { status: finalStatus([...recipients, ...before]), settledAt: endedAt }
        : // An e-mail is reported as expired once its deadline has passed, rather than at its next attempt.
          {
            retryAt: Math.min(endedAt + retryInMs, claimed.email.deliverBefore ?? Number.POSITIVE_INFINITY),
          },
  };
  return { kind: "tried", claimed, result, server };
}

interface AttemptTimes extends Trying {
  /** End of the attempt, ms since the epoch. */
  endedAt: number;
  /** Ms until deferred recipients are tried again; `undefined` if the e-mail's time for retries is over. */
  retryDelay: number | undefined;
}

/** Returns the new state of each open recipient, and ms until deferred ones are tried again: `undefined` if none is. */
function judgeRecipients(
  claimed: ClaimedEmail,
  { recipients }: Handed,
  { endedAt, triedMs, triedSince, retryDelay }: AttemptTimes,
): { recipients: AttemptResult["recipients"]; retryInMs: number | undefined } {
  const resultOf = byAddress(recipients);
  let retryInMs: number | undefined;
  const judged = openOf(claimed).map(({ kind, address, domainMissingSince }) => {
    const { outcome, code, reply, suppressedBy, atRecipient = false } = resultOf(address) ?? unreported;
    // Later by the days that a clock skipped, or that the queue was paused.
    const before = domainMissingSince && endedAt - triedSince(domainMissingSince);
    const missing = missingSince({ code, reply }, { before, now: endedAt });
    const delay = retryDelay ?? missingDomainDelay(missing, { now: endedAt, ageMs: triedMs });
    const isRetried = outcome === "deferred" && delay !== undefined;
    if (isRetried) retryInMs = Math.min(retryInMs ?? Number.POSITIVE_INFINITY, delay);
    const isDone = outcome === "accepted" || outcome === "suppressed";
    return {
      kind,
      address,
      state: isDone ? outcome : isRetried ? "deferred" : "failed",
      code,
      lastReply: reply,
      suppressedBy,
      remoteId: outcome === "accepted" ? remoteIdOf(reply, claimed.recipients) : undefined,
      domainMissingSince: missing,
      settledAt: isRetried ? undefined : endedAt,
      atRecipient,
    } as const;
  });
  return { recipients: judged, retryInMs };
}

/**
 * Whether an error that came before anything was handed over is no attempt, which is logged: it passes, and is not the
 * e-mail's own. After the 48 hours of retries it counts, so that an e-mail that alone causes it comes to an end.
 */
export function isUntried(
  { queueClock, logger }: Pick<Runtime, "queueClock" | "logger">,
  claimed: ClaimedEmail,
  error: unknown,
): boolean {
  const passes = error instanceof StorageUnavailable || lacksResources(error);
  if (!passes || queueClock.now() - sendableSince(claimed) > emailLifetime) return false;
  // Not about one e-mail: without its id, the failure of all that were claimed is one line.
  logger.warn({ err: error }, "e-mails could not be tried, and are postponed");
  return true;
}

/** Time from which the e-mail could be sent: the 48 hours of retries do not begin before its scheduled time. */
const sendableSince = ({ email }: ClaimedEmail): number => email.scheduledAt ?? email.createdAt;

const isExpired = ({ email }: ClaimedEmail, now: number): boolean =>
  email.deliverBefore !== undefined && now >= email.deliverBefore;

const openOf = ({ recipients }: ClaimedEmail): EmailRecipient[] =>
  recipients.filter(({ settledAt }) => settledAt === undefined);

/** Result of a recipient that the mailer did not report. */
const unreported: Omit<RecipientResult, "address"> = {
  outcome: "deferred",
  reply: "the mailer reported no result",
};

type RecipientResult = Handed["recipients"][number];

/** Makes a look-up of results by address. Most e-mails have a single recipient, and need no map. */
function byAddress(results: readonly RecipientResult[]): (address: string) => RecipientResult | undefined {
  if (results.length === 1) return (address) => results.find((one) => one.address === address);
  const found = new Map(results.map((one) => [one.address, one]));
  return (address) => found.get(address);
}

/**
 * Suppressed recipients don't affect the status. Cancelled and erased ones did not get it, but nobody failed to deliver it
 * to them.
 */
function finalStatus(
  recipients: Pick<EmailRecipient, "state">[],
): "sent" | "partially_sent" | "failed" | "suppressed" {
  const has = (wanted: EmailRecipient["state"]): boolean => recipients.some(({ state }) => state === wanted);
  if (!has("accepted")) return has("failed") ? "failed" : "suppressed";
  return has("failed") || has("cancelled") ? "partially_sent" : "sent";
}

/** The mailer's result, and the recipients suppressed since acceptance. */
interface Handed extends Omit<HandedOver["result"], "recipients"> {
  recipients: (Omit<MailResult["recipients"][number], "outcome"> & {
    outcome: MailResult["recipients"][number]["outcome"] | "suppressed";
    suppressedBy?: SuppressionOrigin;
  })[];
  /** Whether a transmission was attempted. Default true. */
  isAttempt?: boolean;
  /** The workspace's server that transmitted the message. */
  server?: SmtpServer | undefined;
  handovers?: Handover[];
}

/** Composes and sends the message; a message that can't be composed fails permanently, with the reason. */
async function composeAndHandOver(
  { runtime, handOver, attachments, bodies, onAdmitted }: AttemptMeans,
  { claimed, payload, tenure }: Attempting,
): Promise<Handed | Rerouted | { untried: true }> {
  const open = openOf(claimed);
  const all = (outcome: "deferred" | "refused", reply: string): MailResult => ({
    recipients: open.map(({ address }) => ({ address, outcome, reply })),
    inDoubt: false,
  });
  if (claimed.attempt > maxAttempts && runtime.queueClock.now() - sendableSince(claimed) > emailLifetime) {
    const { length } = await attemptsOf(runtime, claimed);
    if (length >= maxAttempts) return all("refused", `given up after ${length} attempts`);
  }
  const missed = { ...all("refused", expired), isAttempt: false };
  if (isExpired(claimed, runtime.queueClock.now())) return missed;
  if (claimed.damaged || payload === undefined)
    return all("refused", "the stored e-mail is damaged and can't be read");
  try {
    const separated = leaveOutSuppressed(runtime, claimed, payload, open);
    const { rest, leftOut } = separated instanceof Promise ? await separated : separated;
    if (rest.length === 0) return { recipients: leftOut, inDoubt: false, isAttempt: false };
    const { id, attachmentSetId: setId } = claimed.email;
    const sealed = typeof payload.data === "string" ? unseal(runtime, id, payload.data) : undefined;
    const used = {
      setId,
      sealed: sealed?.files,
      route: claimed.route,
      onAdmitted: () => onAdmitted(claimed),
    };
    return await attachments.use(used, async (files): Promise<Handed | Rerouted> => {
      const place = bodies.placeOf(claimed);
      try {
        const composed = await composeMail(runtime, claimed, payload, { open: rest, files, sealed, place });
        if (composed === undefined) return all("refused", "the content of the e-mail was removed");
        const handed = await handOver(claimed, composed, tenure);
        if ("route" in handed) return handed;
        const { result, server, handovers } = handed;
        if (result.held?.cause === "closed" && isExpired(claimed, runtime.queueClock.now())) return missed;
        const recipients = leftOut.length === 0 ? result.recipients : [...result.recipients, ...leftOut];
        return { ...result, recipients, server, handovers };
      } finally {
        place.leave();
      }
    });
  } catch (error) {
    const isMailers = error instanceof MailerFailed;
    if (!isMailers && isUntried(runtime, claimed, error)) return { untried: true };
    const about = { emailId: claimed.email.id, open };
    const { outcome, reply } = judgeError(runtime, about, isMailers ? error.cause : error);
    return all(outcome, reply);
  }
}
