import { TLSSocket } from "node:tls";
import type { HandoverStep, HandoverStepName } from "@posthorn/core";
import type { SessionWatch } from "./open-connection.ts";
import type { SmtpReply } from "./reply-reader.ts";
import { SmtpFault } from "./smtp-fault.ts";

/** Notes what one message goes through, and how long each step took. */
export interface StepLog {
  /** The step has just ended: it took from the end of the one before. */
  ended(step: HandoverStepName, reply?: Pick<SmtpReply, "code" | "text">, recipient?: string): void;
  /** The step broke off. */
  broke(step: HandoverStepName, fault: SmtpFault): void;
  /** Watches a connection being made. */
  readonly session: SessionWatch;
  readonly steps: HandoverStep[];
}

/** Steps that are noted of one message: 150 recipients, over a few connections. */
const mostSteps = 300;

/** Begins to note: the first step has begun. */
export function createStepLog(): StepLog {
  const steps: HandoverStep[] = [];
  let last = performance.now();

  const begin = (
    step: HandoverStepName,
    reply: Pick<SmtpReply, "code" | "text"> | undefined,
  ): HandoverStep => {
    const now = performance.now();
    const ms = Math.round((now - last) * 10) / 10;
    last = now;
    const noted: HandoverStep =
      reply === undefined ? { step, ms } : { step, ms, code: reply.code, reply: reply.text };
    if (steps.length < mostSteps) steps.push(noted);
    return noted;
  };
  const ended: StepLog["ended"] = (step, reply, recipient) => {
    const noted = begin(step, reply);
    if (recipient !== undefined) noted.recipient = recipient;
  };
  const broke: StepLog["broke"] = (step, { message, reply }) => {
    begin(step, reply).error = message;
  };

  return {
    steps,
    ended,
    broke,
    session: {
      resolved: () => ended("resolve"),
      async take(step, work) {
        try {
          const value = await work();
          if (step === "starttls") Object.assign(begin(step, undefined), agreedOn(value));
          else ended(step, replyOf(value));
          return value;
        } catch (error) {
          if (error instanceof SmtpFault) broke(step, error);
          throw error;
        }
      },
    },
  };
}

/** The server's reply, where a step came to one. */
export function replyOf(value: unknown): Pick<SmtpReply, "code" | "text"> | undefined {
  const reply = typeof value === "object" && value !== null && "reply" in value ? value.reply : value;
  if (typeof reply !== "object" || reply === null || !("code" in reply) || !("text" in reply))
    return undefined;
  return { code: Number(reply.code), text: String(reply.text) };
}

/** By what TLS a channel goes; where the server put it off, its reply. */
function agreedOn(channel: unknown): Pick<HandoverStep, "code" | "reply"> {
  const refusal = replyOf(channel);
  if (refusal !== undefined) return { code: refusal.code, reply: refusal.text };
  if (typeof channel !== "object" || channel === null || !("socket" in channel)) return {};
  const { socket } = channel;
  if (!(socket instanceof TLSSocket)) return {};
  return { reply: `${socket.getProtocol() ?? ""} ${socket.getCipher().name}` };
}
