import type { ClaimedEmail, EmailQueue, EmailRecipient, Lane } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../../engine.ts";
import { toEmail, toRecipient } from "../../mail/emails/rows.ts";
import { withholdErased } from "./withhold-erased.ts";

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
  const claimed = await engine.claimDue(db, { ...order, until: order.now + leaseMs });
  const sent = await withholdErased(db, engine, claimed, order.now);
  return sent.map(({ claimId, item, email, recipients: rows }) => {
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
