import type { ClaimedEmail, EmailQueue, EmailRecipient, Lane } from "@posthorn/core/storage";
import type { ClaimedRow, Engine, Handle } from "../../../engine.ts";
import { toEmail, toRecipient } from "../../mail/emails/rows.ts";
import { withholdErased } from "./withhold-erased.ts";

/** How many claims follow each other while all is withheld: others' mail waits behind it, but the lease counts from the first. */
const mostTries = 25;

type ClaimOrder = Parameters<EmailQueue["claim"]>[0];

/**
 * Moves due e-mails from the queue into a claim. An e-mail with a damaged row is marked, so that the worker fails it
 * (reliability.md, F23). Deleting a workspace may leave queue rows without an e-mail, as may a damaged database: those
 * are gone from the queue then.
 */
export async function claimEmails(
  db: Handle,
  engine: Engine,
  { leaseMs, ...order }: ClaimOrder,
): Promise<ClaimedEmail[]> {
  let claimed: ClaimedRow[] = [];
  for (let tries = 0; tries < mostTries; tries += 1) {
    const taken = await engine.claimDue(db, { ...order, until: order.now + leaseMs });
    claimed = await withholdErased(db, engine, taken, order.now);
    // A worker that gets nothing takes it that nothing is left for it.
    if (claimed.length > 0 || taken.length === 0) break;
  }
  return claimed.map(({ claimId, item, email, recipients: rows }) => {
    const recipients = rows.map(toRecipient);
    return {
      lease: { claimId, row: item.email_id },
      email: toEmail(email, { status: "sending", settledAt: undefined }),
      recipients,
      route: item.route,
      lane: item.lane as Lane,
      dueAt: item.due_at,
      attempt: item.attempts + 1,
      bytes: item.bytes,
      contentHash: email.content_hash ?? "",
      stylesheetSetHash: email.set_hash ?? undefined,
      damaged: recipients.length === 0 || !recipients.every(isSound),
    };
  });
}

const kinds: readonly string[] = ["to", "cc", "bcc"] satisfies EmailRecipient["kind"][];
const states: readonly string[] = [
  "pending",
  "deferred",
  "accepted",
  "failed",
  "suppressed",
  "cancelled",
] satisfies EmailRecipient["state"][];

const isSound = ({ kind, state, address }: EmailRecipient): boolean =>
  kinds.includes(kind) && states.includes(state) && address !== "";
