import type { AgentClass, HitKind, RecipientDetails, RecipientHits } from "../ports/storage.ts";

/** Openings of an e-mail, or clicks on its links, added up. Times are ms since the epoch. */
export interface EmailHits {
  /** Number of all, with those of programs. */
  count: number;
  /** Number of those that a person made. */
  humanCount: number;
  /** Time of the first. */
  firstAt: number;
  /** Time of the first that a person made; `undefined` if there is none. */
  firstHumanAt: number | undefined;
  /** What made the last. */
  agentClass: AgentClass;
}

/** A recipient with what they did with the e-mail. Times are ms since the epoch. */
export interface EmailRecipientView extends RecipientDetails {
  /** When a person first opened it; `undefined` if that is not known, as of a message that several recipients share. */
  openedAt: number | undefined;
  /** When a person first followed one of its links; `undefined` if that is not known. */
  clickedAt: number | undefined;
  /** Openings, with those of programs; `undefined` if there are none. */
  opens: EmailHits | undefined;
  /** Clicks, with those of programs; `undefined` if there are none. */
  clicks: EmailHits | undefined;
}

/** Returns recipients, in the order of their positions, with their hits. */
export const viewRecipients = (
  recipients: readonly RecipientDetails[],
  hits: readonly RecipientHits[],
): EmailRecipientView[] =>
  recipients.map((recipient, position) => {
    const own = hits.filter((one) => one.position === position);
    const [opens, clicks] = [sumHits(own, "open"), sumHits(own, "click")];
    return { ...recipient, openedAt: opens?.firstHumanAt, clickedAt: clicks?.firstHumanAt, opens, clicks };
  });

/** Adds up the hits of a kind; `undefined` if there are none. */
export function sumHits(hits: readonly RecipientHits[], kind: HitKind): EmailHits | undefined {
  const those = hits.filter((one) => one.kind === kind);
  // Of several recipients' programs, that of who began last is told: when each was last used is not stored.
  const newest = those.reduce<RecipientHits | undefined>(
    (last, one) => (last === undefined || one.firstAt > last.firstAt ? one : last),
    undefined,
  );
  if (newest === undefined) return undefined;
  const sum = (of: (one: RecipientHits) => number) => those.reduce((total, one) => total + of(one), 0);
  const human = those.flatMap(({ firstHumanAt }) => firstHumanAt ?? []);
  return {
    count: sum(({ count }) => count),
    humanCount: sum(({ humanCount }) => humanCount),
    firstAt: Math.min(...those.map(({ firstAt }) => firstAt)),
    firstHumanAt: human.length === 0 ? undefined : Math.min(...human),
    agentClass: newest.agentClass,
  };
}
