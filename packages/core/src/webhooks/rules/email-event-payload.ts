import type { BounceClass } from "../../inbound/rules/bounce-categories.ts";

/** What a webhook is told of an e-mail besides its id. */
export interface EmailEventData {
  /** The e-mail's subject, rendered. */
  subject: string;
  /** The tags that it was sent with. */
  tags: string[];
  /** The metadata that it was sent with. */
  metadata: Record<string, unknown>;
  /** The address it is about, where it is about one. */
  recipient?: string;
  /** The list that the recipient unsubscribed from. */
  list?: string;
  /** What suppresses the recipient. */
  origin?: string;
  /** Of a bounce: what it tells of (docs/bounces.md). Of a complaint: `complaint`. */
  class?: BounceClass | "complaint";
  /** Of a bounce: why. Of a complaint: its type. */
  category?: string;
  /** Of a bounce or complaint: who said so. */
  source?: "smtp" | "dsn" | "arf" | "provider";
  /** What the mail server said. */
  reply?: string;
  /** The number of the attempt that put it off. */
  attempt?: number;
}

/** The types whose bodies service.md gives field by field: they hold nothing else. */
const bare = new Set(["email.sent", "email.failed"]);

/** The body that webhooks get about an e-mail (service.md, Webhook deliveries). `at`: ms since the epoch. */
export function emailEventPayload(event: string, emailId: string, at: number, data: EmailEventData): string {
  const body = { event, email_id: emailId, timestamp: new Date(at).toISOString() };
  return JSON.stringify(bare.has(event) ? body : { ...body, data });
}
