import { TLSSocket } from "node:tls";
import type { HandoverStep, HandoverStepName } from "@posthorn/core";
import type { SessionWatch } from "../connection/open-connection.ts";
import type { SmtpReply } from "../connection/reply-reader.ts";
import { SmtpFault } from "../connection/smtp-fault.ts";

/** Records the steps of one message and the duration of each. */
export interface StepLog {
  /** The step has just ended; its duration counts from the end of the one before. */
  ended(step: HandoverStepName, reply?: Pick<SmtpReply, "code" | "text">, recipient?: string): void;
  /** The step was interrupted. */
  broke(step: HandoverStepName, fault: SmtpFault): void;
  /** Observes a connection being opened. */
  readonly session: SessionWatch;
  readonly steps: HandoverStep[];
}

/** Maximum steps recorded for one message: 150 recipients, over a few connections. */
const maxSteps = 300;

/** Starts recording: the first step begins now. */
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
    if (steps.length < maxSteps) steps.push(noted);
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

/** The server's reply to a step, if there was one. */
export function replyOf(value: unknown): Pick<SmtpReply, "code" | "text"> | undefined {
  const reply = typeof value === "object" && value !== null && "reply" in value ? value.reply : value;
  if (typeof reply !== "object" || reply === null || !("code" in reply) || !("text" in reply))
    return undefined;
  return { code: Number(reply.code), text: String(reply.text) };
}

/** The TLS version of a channel; or the server's reply, if it refused TLS. */
function agreedOn(channel: unknown): Pick<HandoverStep, "code" | "reply"> {
  const refusal = replyOf(channel);
  if (refusal !== undefined) return { code: refusal.code, reply: refusal.text };
  if (typeof channel !== "object" || channel === null || !("socket" in channel)) return {};
  const { socket } = channel;
  if (!(socket instanceof TLSSocket)) return {};
  return { reply: `${socket.getProtocol() ?? ""} ${socket.getCipher().name}` };
}
