import type { BounceClass } from "../../inbound/rules/bounces/bounce-categories.ts";

/** The data of an e-mail in a webhook's payload, besides its id. */
export interface EmailEventData {
  /** The rendered subject. */
  subject: string;
  /** The e-mail's tags. */
  tags: string[];
  /** The e-mail's metadata. */
  metadata: Record<string, unknown>;
  /** The address that the event is about, if it is about one. */
  recipient?: string;
  /** The list that the recipient unsubscribed from. */
  list?: string;
  /** Origin of the suppression that stopped the e-mail. */
  origin?: string;
  /** For a bounce its class (docs/bounces.md), for a complaint `complaint`. */
  class?: BounceClass | "complaint";
  /** For a bounce its cause, for a complaint its type. */
  category?: string;
  /** Source of the report of a bounce or complaint. */
  source?: "smtp" | "dsn" | "provider";
  /** The mail server's reply. */
  reply?: string;
  /** Number of the attempt that was deferred. */
  attempt?: number;
  /** The address of the link that the recipient followed. */
  url?: string;
  /** What kind of program opened the e-mail or followed its link. */
  agent_class?: "browser" | "mail_program" | "image_proxy" | "machine" | "unknown";
}

/** Types whose payloads service.md specifies field by field; they have no other fields. */
const bare = new Set(["email.sent", "email.failed"]);

/**
 * Returns the payload of a webhook event about an e-mail (service.md, Webhook deliveries). `at` is in ms since the
 * epoch.
 */
export function emailEventPayload(event: string, emailId: string, at: number, data: EmailEventData): string {
  const body = { event, email_id: emailId, timestamp: new Date(at).toISOString() };
  return JSON.stringify(bare.has(event) ? body : { ...body, data });
}
