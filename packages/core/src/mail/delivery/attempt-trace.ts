import type { HandoverStep, HandoverStepName } from "../../ports/mailer.ts";
import type { EmailRecipient } from "../../ports/storage.ts";
import { maxServers } from "../rules/routes.ts";

/** A server used in an attempt, and what happened there. */
export interface Handover {
  /** The workspace's own server; `undefined` for the operator's. */
  smtpServerId: string | undefined;
  /**
   * Reason why it accepted nothing, as `cause: reason`: the attempt continued with the next server, or another server's
   * hold applies.
   */
  held: string | undefined;
  steps: HandoverStep[];
}

type Named = Pick<EmailRecipient, "address">;
/** Step, ms, code, reply, error, the recipient's position; empty values at the end are omitted. */
type PackedStep = [HandoverStepName, number, (number | null)?, string?, string?, number?];
interface PackedHandover {
  server?: string;
  held?: string;
  steps: PackedStep[];
}

/** Maximum characters of one attempt's trace, which is stored with each attempt of each e-mail. */
export const longestTrace = 4096;
const longestWords = 500;

/** Serialises an attempt's steps as JSON of at most 4096 characters. Beyond that, the least informative are omitted. */
export function packTrace(handovers: readonly Handover[], recipients: readonly Named[]): string | undefined {
  if (handovers.length === 0) return undefined;
  for (const keep of savings) {
    const packed = handovers.slice(0, maxServers).map((one) => pack(one, recipients, keep));
    const text = JSON.stringify(packed);
    if (text.length <= longestTrace) return text;
  }
  return undefined;
}

interface Saving {
  /** Maximum characters of a positive reply. */
  yes: number;
  words: number;
  /** Maximum steps per server; the first and the last ones are kept. */
  steps: number;
}

/** Limits in the order in which they are tried, from all details to what always fits. */
const savings: readonly Saving[] = [
  { yes: longestWords, words: longestWords, steps: 300 },
  { yes: 0, words: longestWords, steps: 300 },
  { yes: 0, words: 120, steps: 60 },
  { yes: 0, words: 60, steps: 20 },
  { yes: 0, words: 40, steps: 4 },
  { yes: 0, words: 0, steps: 1 },
];

function pack(
  { smtpServerId, held, steps }: Handover,
  recipients: readonly Named[],
  saving: Saving,
): PackedHandover {
  const half = saving.steps / 2;
  const kept =
    steps.length <= saving.steps
      ? steps
      : steps.filter((_, index) => index < half || index >= steps.length - half);
  return {
    steps: kept.map(({ step, ms, code, reply = "", error = "", recipient }): PackedStep => {
      const position =
        recipient === undefined ? -1 : recipients.findIndex(({ address }) => address === recipient);
      const said = reply.slice(0, error === "" && (code ?? 0) < 400 ? saving.yes : saving.words);
      const broke = error.slice(0, saving.words);
      if (position >= 0) return [step, ms, code ?? null, said, broke, position];
      if (broke !== "") return [step, ms, code ?? null, said, broke];
      if (said !== "") return [step, ms, code ?? null, said];
      return code === undefined ? [step, ms] : [step, ms, code];
    }),
    ...(smtpServerId === undefined ? {} : { server: smtpServerId }),
    ...(held === undefined ? {} : { held: held.slice(0, saving.words) }),
  };
}

/** Parses a stored trace; empty if it can't be read. */
export function unpackTrace(text: string | undefined, recipients: readonly Named[]): Handover[] {
  if (text === undefined) return [];
  try {
    const packed = JSON.parse(text) as PackedHandover[];
    return packed.map(({ server, held, steps }) => ({
      smtpServerId: server,
      held,
      steps: steps.map(([step, ms, code, reply, error, position]) => {
        const recipient = position === undefined ? undefined : recipients[position]?.address;
        return {
          step,
          ms,
          ...(code === undefined || code === null ? {} : { code }),
          ...(reply ? { reply } : {}),
          ...(error ? { error } : {}),
          ...(recipient === undefined ? {} : { recipient }),
        };
      }),
    }));
  } catch {
    return [];
  }
}
