import type { HandoverStep, HandoverStepName } from "../../../ports/mailer.ts";
import type { EmailAttempt } from "../../../ports/storage.ts";
import { unpackTrace } from "../../delivery/attempt-trace.ts";
import { isoOrNull, withoutUndefined } from "./acceptance-entries.ts";
import type { TimelineSources } from "./read-sources.ts";
import type { NewEntry, TimelineHandover } from "./timeline-entry.ts";

/** Returns an entry for each delivery attempt, with the servers used and their replies. */
export const attemptEntries = (sources: TimelineSources): NewEntry[] =>
  sources.attempts.map((attempt) => {
    const handovers = handoversOf(sources, attempt);
    return {
      at: attempt.startedAt,
      type: "attempt",
      message: `Attempt ${attempt.number}: ${outcomeWords(attempt, handovers, sources)}`,
      details: withoutUndefined({
        number: attempt.number,
        outcome: attempt.outcome,
        in_doubt: attempt.inDoubt,
        ended_at: isoOrNull(attempt.endedAt),
        smtp_server_id: attempt.smtpServerId,
        worker: sources.isOperator ? attempt.worker : undefined,
        reply: attempt.reply,
      }),
      handovers,
    };
  });

function outcomeWords(
  { outcome, inDoubt, reply, startedAt, endedAt }: EmailAttempt,
  handovers: TimelineHandover[],
  { recipients }: TimelineSources,
) {
  if (outcome === "interrupted")
    return "interrupted, because its worker ended; a mail server may have accepted it nevertheless.";
  const took = endedAt === undefined ? "" : ` after ${endedAt - startedAt} ms`;
  const [last] = handovers.slice(-1);
  const through = last === undefined ? "" : ` through ${last.name ?? whose(last)}`;
  const doubt = inDoubt
    ? " In doubt: the whole message was sent but no reply came, so the server may have accepted it."
    : "";
  const words = outcome === "sent" ? "accepted" : outcome === "deferred" ? "deferred" : "failed";
  // The reply is then that of a recipient whom the server did not accept.
  const isPartly =
    outcome === "sent" &&
    reply !== "" &&
    recipients.some(({ state, lastReply }) => state !== "accepted" && lastReply === reply);
  const partly = isPartly ? ", but not for every recipient" : "";
  const said = reply === "" ? "" : `: ${reply}`;
  const stop = reply === "" || (inDoubt && !reply.endsWith(".")) ? "." : "";
  return `${words}${through}${took}${partly}${said}${stop}${doubt}`;
}

const whose = ({ smtpServerId }: TimelineHandover): string =>
  smtpServerId === undefined ? "the operator's mail server" : "a mail server that was removed";

function handoversOf(
  { recipients, servers, isOperator }: TimelineSources,
  { trace }: EmailAttempt,
): TimelineHandover[] {
  return unpackTrace(trace, recipients).map(({ smtpServerId, held, steps }) => {
    const name = smtpServerId === undefined ? undefined : servers.get(smtpServerId);
    const isOpen = isOperator || smtpServerId !== undefined;
    if (isOpen) return { smtpServerId, name, held, steps };
    return { smtpServerId, name, held: held && causeOf(held), steps: steps.map(withoutWords) };
  });
}

/** Returns the kind of a hold whose full reason only the operator may read. */
export const causeOf = (held: string): string => /^(\w+): /.exec(held)?.[1] ?? "held";

/** Steps in which a server's replies concern the server itself or the login, rather than the mail. */
const ownBusiness: ReadonlySet<HandoverStepName> = new Set([
  "resolve",
  "connect",
  "greeting",
  "ehlo",
  "starttls",
  "auth",
]);

function withoutWords(step: HandoverStep): HandoverStep {
  if (!ownBusiness.has(step.step)) return step;
  const { reply: _, error, ...rest } = step;
  return error === undefined ? rest : { ...rest, error: "did not succeed" };
}
