import { changeAndNotify } from "../../calls/change-and-notify.ts";
import { addEmailEvents, serviceOrigin } from "../../mail/email-events.ts";
import type { EmailEvent } from "../../mail/notifications.ts";
import type { HitsKey, NewHits, TrackedEmail } from "../../ports/storage.ts";
import { isErased } from "../../recipients/rules/erased-address.ts";
import type { Runtime } from "../../service/runtime.ts";
import type { Hit } from "./hit.ts";
import { networkOf } from "./network-of.ts";

/** Ms after the mail server accepted the e-mail in which nobody can have read it. */
const soonMs = 3_000;
/** Ms after the first hit within which a person's leads to an event. */
const announcedMs = 24 * 3_600_000;

/**
 * Writes judged hits in one transaction, with the events and webhook deliveries of those that are the first by a person.
 * Hits on e-mails that are deleted change nothing (platform.md P11). `piece` numbers these hits, so that a call may be
 * repeated of which nobody knows whether it was committed.
 */
export async function recordHits(runtime: Runtime, hits: readonly Hit[], piece: number): Promise<void> {
  await changeAndNotify(runtime, async (storage, outbox) => {
    const emails = new Map(
      (await storage.tracking.find(hits.map(({ row }) => row))).map((email) => [email.row, email]),
    );
    const judged = Map.groupBy(
      hits.flatMap((hit) => {
        const email = emails.get(hit.row);
        return email === undefined ? [] : judgeTime(hit, email);
      }),
      keyOf,
    );
    const sums = [...judged.values()].map((same) => {
      const email = emails.get(same[0]?.row ?? 0);
      const sum = sumOf(same, email?.keepsDetails === true);
      return email !== undefined && isByErased(sum, email)
        ? { ...sum, address: undefined, agent: undefined }
        : sum;
    });
    const first = await storage.tracking.add(sums, announcedMs, piece);
    const events = first.flatMap((key) => {
      const email = emails.get(key.row);
      return email === undefined ? [] : eventOf(key, email, judged.get(keyOf(key)) ?? []);
    });
    await addEmailEvents(runtime, storage, outbox, events, serviceOrigin);
  });
}

const keyOf = ({ row, position, kind }: HitsKey): string => `${row} ${position} ${kind}`;

/** Nobody reads an e-mail before it was accepted, nor within the first seconds: what does then is a scanner. */
function judgeTime(hit: Hit, { recipients }: TrackedEmail): Hit {
  if (hit.machine === true) return hit;
  const possible = hit.position === undefined ? recipients : recipients.slice(hit.position, hit.position + 1);
  const isRead = possible.some(
    ({ state, settledAt }) => state === "accepted" && settledAt !== undefined && hit.at >= settledAt + soonMs,
  );
  return isRead ? hit : { ...hit, machine: true, reason: "too_soon" };
}

/** Whether a hit may be that of an erased recipient, of whom nothing new may be stored. */
const isByErased = ({ position }: HitsKey, { recipients }: TrackedEmail): boolean =>
  recipients.some(
    ({ address }, index) => isErased(address) && (position === undefined || position === index),
  );

/** Adds up hits of one kind on the e-mail to one recipient. */
function sumOf(hits: readonly Hit[], isDetailed: boolean): NewHits {
  const inOrder = hits.toSorted((a, b) => a.lastAt - b.lastAt);
  const human = hits.filter(({ machine }) => machine === false);
  const countOf = (of: readonly Hit[]) => of.reduce((sum, { count }) => sum + count, 0);
  const { row, position, kind, agentClass, ip, userAgent } = inOrder.at(-1) as Hit;
  return {
    row,
    position,
    kind,
    count: countOf(hits),
    humanCount: countOf(human),
    firstAt: Math.min(...hits.map(({ at }) => at)),
    firstHumanAt: human.length === 0 ? undefined : Math.min(...human.map(({ at }) => at)),
    agentClass,
    machineReason: inOrder.findLast(({ machine }) => machine === true)?.reason,
    address: isDetailed ? ip || undefined : networkOf(ip),
    agent: isDetailed ? userAgent || undefined : undefined,
  };
}

/** Makes the event of the first hit by a person; of a click it names the link. */
function eventOf(key: HitsKey, tracked: TrackedEmail, hits: readonly Hit[]): EmailEvent[] {
  const [first] = hits.filter(({ machine }) => machine === false).toSorted((a, b) => a.at - b.at);
  if (first === undefined) return [];
  const { email, recipients } = tracked;
  const { agentClass: agent_class, at } = first;
  // A link may hold the reader's address.
  const url = isByErased(key, tracked) ? undefined : first.url;
  const recipient = recipients[key.position ?? -1]?.address;
  const data = {
    ...(recipient === undefined ? {} : { recipient }),
    ...(url === undefined ? {} : { url }),
    agent_class,
  };
  const type = key.kind === "open" ? "email.opened" : "email.clicked";
  return [{ type, email, at, metadata: data, data }];
}
