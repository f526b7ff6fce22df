import type { BounceRule } from "../../inbound/rules/bounces/bounce-rule.ts";
import { classifyRefusal } from "../../inbound/rules/bounces/classify-refusal.ts";
import type { ReportedRecipient } from "../../inbound/suppress-reported.ts";
import type {
  AttemptedRecipient,
  AttemptResult,
  ClaimedEmail,
  RecipientReport,
  Repositories,
} from "../../ports/storage.ts";
import type { Runtime } from "../../service/runtime.ts";
import { isDomainGone } from "../rules/missing-domain.ts";

/** A recipient whom a server refused permanently, without an earlier report that was believed. */
export type RecordedBounce = RefusedRecipient & {
  /** Whether there was no report at all: only then does an event tell of it. */
  isNew: boolean;
};

type RefusedRecipient = RecipientReport & ReportedRecipient;

interface Tried {
  claimed: ClaimedEmail;
  result: AttemptResult;
}

/**
 * Records refused recipients with the meaning of the refusal, in the caller's transaction; returns those without an
 * earlier report, and those whose report anybody could have forged. Only a refusal with a reply code makes a bounce: a
 * message that could not be composed or sent was refused by nobody.
 */
export async function recordBounces(
  { config }: Pick<Runtime, "config">,
  { reports }: Pick<Repositories, "reports">,
  tried: readonly Tried[],
): Promise<RecordedBounce[]> {
  const found = tried.flatMap((one) => bouncesOf(one, config.bounceRules));
  if (found.length === 0) return [];
  const keyOf = ({ row, position }: RecipientReport): string => `${row} ${position}`;
  const noted = new Set((await reports.note(found)).map(keyOf));
  const recorded: RecordedBounce[] = [];
  for (const one of found) {
    const isNew = noted.has(keyOf(one));
    if (isNew || (await reports.replaceUnbelieved(one))) recorded.push({ ...one, isNew });
  }
  return recorded;
}

function bouncesOf({ claimed, result }: Tried, rules: readonly BounceRule[]): RefusedRecipient[] {
  const { email, lease } = claimed;
  return result.recipients.flatMap((recipient) => {
    const { kind, address, state, code, lastReply: reply } = recipient;
    if (state !== "failed" || code === undefined) return [];
    const stage = recipient.atRecipient === true ? "recipient" : "content";
    // Exchange, for one, refuses a content for all its recipients if one of them does not exist.
    const isShared =
      stage === "content" &&
      code >= 500 &&
      result.recipients.some((one) => one !== recipient && isSame(one, recipient));
    const at = recipient.settledAt ?? claimed.dueAt;
    return {
      row: lease.row,
      position: claimed.recipients.findIndex((one) => one.kind === kind && one.address === address),
      kind: "bounce",
      ...classifyRefusal(
        {
          code,
          reply,
          stage,
          isDomainGone: isDomainGone(recipient.domainMissingSince, at),
          isShared,
          addresses: [address],
        },
        rules,
      ),
      reply,
      source: "smtp",
      isBelieved: true,
      at,
      workspaceId: email.workspaceId,
      emailId: email.id,
      address,
    };
  });
}

const isSame = (one: AttemptedRecipient, other: AttemptedRecipient): boolean =>
  one.atRecipient !== true && one.lastReply === other.lastReply;
