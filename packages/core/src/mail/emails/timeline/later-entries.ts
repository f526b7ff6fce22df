import {
  everyRoute,
  type ParkedRoute,
  type RecipientReportKind,
  readStoredObject,
} from "../../../ports/storage.ts";
import { dueAfterPause } from "../../../webhooks/delivery-view.ts";
import { expired } from "../../rules/expired.ts";
import { iso, isoOrNull, withoutUndefined } from "./acceptance-entries.ts";
import { causeOf } from "./attempt-entries.ts";
import type { TimelineSources } from "./read-sources.ts";
import type { NewEntry, TimelineEntryType } from "./timeline-entry.ts";

/** Returns entries about recipients that were left out, at acceptance or later. */
export const suppressedEntries = ({ recipients }: TimelineSources): NewEntry[] =>
  recipients.flatMap(({ state, settledAt, address, lastReply }) =>
    state !== "suppressed" || settledAt === undefined
      ? []
      : {
          at: settledAt,
          type: "suppressed",
          message: `Nothing was sent to ${address}: ${lastReply}`,
          recipient: address,
          details: {},
        },
  );

const reported: Record<RecipientReportKind, { type: TimelineEntryType; words: string }> = {
  bounce: { type: "bounced", words: "was refused permanently" },
  complaint: { type: "complained", words: "complained" },
  delay: { type: "delayed", words: "is still being tried by another server" },
};

/** Returns entries about reports on recipients: refusals during transmission, and reports received later. */
export const reportEntries = ({ history, recipients }: TimelineSources): NewEntry[] =>
  history.reports.map(({ kind, position, at, category, enhancedCode, reply, source, ...rest }) => {
    const recipient = recipients[position]?.address;
    const { type, words } = reported[kind];
    return {
      at,
      type,
      message: `${recipient ?? "A recipient"} ${words} (${category})${reply === "" ? "." : `: ${reply}`}`,
      recipient,
      details: withoutUndefined({ class: rest.class, category, enhanced_code: enhancedCode, source, reply }),
    };
  });

const done: Record<string, { type: TimelineEntryType; words: string }> = {
  "email.rescheduled": { type: "rescheduled", words: "Rescheduled" },
  "email.cancelled": { type: "cancelled", words: "Cancelled" },
  "email.retried": { type: "retried", words: "Queued again" },
  "email.unsubscribed": { type: "unsubscribed", words: "Led to an unsubscription" },
};

/** Returns entries about actions of users and keys. */
export const eventEntries = ({ events }: TimelineSources): NewEntry[] =>
  events.flatMap((event) => {
    const what = done[event.type];
    if (what === undefined) return [];
    const { email_id: _, recipient, ...details } = readStoredObject(event.metadata);
    return {
      at: event.createdAt,
      type: what.type,
      message: `${what.words}${event.actorName === "" ? "" : ` by ${event.actorName}`}.`,
      recipient: typeof recipient === "string" ? recipient : undefined,
      details,
    };
  });

/** Returns entries about webhook deliveries, with their current state. */
export const deliveryEntries = ({ deliveries }: TimelineSources): NewEntry[] =>
  deliveries.map((one) => {
    const dueAt = dueAfterPause(one, one.pausedUntil);
    return {
      at: one.createdAt,
      type: "webhook",
      message: `Webhook ${one.event}: ${deliveryWords(one)}`,
      details: withoutUndefined({
        event: one.event,
        delivery_id: one.id,
        webhook_id: one.webhookId,
        status: one.status,
        attempts: one.attempts,
        response_status: one.responseStatus,
        duration_ms: one.durationMs,
        error: one.error === "" ? undefined : one.error,
        due_at: dueAt === undefined ? undefined : iso(dueAt),
        settled_at: isoOrNull(one.settledAt),
      }),
    };
  });

function deliveryWords({
  url,
  status,
  attempts,
  responseStatus,
  error,
}: TimelineSources["deliveries"][number]) {
  const { host } = new URL(url);
  const answer = error === "" ? (responseStatus === undefined ? "" : ` (${responseStatus})`) : ` (${error})`;
  const tries = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  if (status === "pending" && attempts === 0) return `waiting to be posted to ${host}.`;
  if (status === "pending") return `tried at ${host} in ${tries}${answer}; another attempt follows.`;
  return `${status === "delivered" ? "delivered to" : "given up at"} ${host} in ${tries}${answer}.`;
}

const outcomes: Partial<Record<TimelineSources["email"]["status"], string>> = {
  sent: "Sent: every recipient was accepted.",
  partially_sent: "Partially sent: not every recipient was accepted.",
  failed: "Failed: no recipient was accepted.",
  suppressed: "Nothing was sent: all recipients were suppressed.",
};

/** Why a route is held, for its workspace: neither what the operator wrote, nor what a server replied. */
const wordsFor = ({ owner, reason }: ParkedRoute): string => {
  if (owner === "campaign") return reason;
  return owner === "server" ? causeOf(reason) : "held";
};

/** Returns the entry about the current state: settled, claimed by a worker, or waiting, with the reason. */
export function stateEntries(sources: TimelineSources): NewEntry[] {
  const { email, recipients, history, holds, attempts, isOperator } = sources;
  const { settledAt, inHand, dueAt, route } = history;
  const outcome = outcomes[email.status];
  if (settledAt !== undefined) {
    // A cancellation has an event of its own.
    if (outcome === undefined) return [];
    const isLate = recipients.some(({ lastReply }) => lastReply === expired);
    const isSomeoneOut = email.status === "sent" && recipients.some(({ state }) => state === "suppressed");
    const words = isSomeoneOut ? "Sent: every recipient who is not suppressed was accepted." : outcome;
    const message = isLate ? `${words} Its deadline had passed.` : words;
    return [{ at: settledAt, type: "settled", message, details: {} }];
  }
  if (inHand !== undefined) {
    const details = isOperator ? { worker: inHand.worker } : {};
    return [{ at: inHand.since, type: "in_hand", message: "A worker has claimed it.", details }];
  }
  if (dueAt === undefined) return [];
  const hold = holds.find((one) => one.route === route) ?? holds.find((one) => one.route === everyRoute);
  const number = (attempts.at(-1)?.number ?? 0) + 1;
  const reason = hold && (isOperator ? hold.reason : wordsFor(hold));
  const held =
    hold === undefined
      ? ""
      : `; its route is held${hold.until === undefined ? "" : ` until ${iso(hold.until)}`}: ${reason}`;
  return [
    {
      at: dueAt,
      type: "waiting",
      message: `Due for attempt ${number}${held}.`,
      details: withoutUndefined({
        attempt: number,
        held: reason,
        held_until: hold?.until === undefined ? undefined : iso(hold.until),
        route: isOperator ? route : undefined,
      }),
    },
  ];
}
