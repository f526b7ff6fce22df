/** What a webhook is told of an e-mail besides its id. */
export interface EmailEventData {
  subject: string;
  tags: string[];
  metadata: Record<string, unknown>;
  /** The address it is about, where it is about one. */
  recipient?: string;
  /** The list that the recipient unsubscribed from. */
  list?: string;
  /** What suppresses the recipient. */
  origin?: string;
  /** Of a bounce. */
  class?: BounceClass;
  /** What the mail server said. */
  reply?: string;
  /** The number of the attempt that put it off. */
  attempt?: number;
}

/** Why a recipient was refused. */
export type BounceClass =
  | "unknown_recipient"
  | "mailbox_full"
  | "mailbox_unavailable"
  | "too_large"
  | "policy"
  | "routing"
  | "other";

/** The types whose bodies service.md gives field by field: they hold nothing else. */
const bare = new Set(["email.sent", "email.failed"]);

/** The body that webhooks get about an e-mail (service.md, Webhook deliveries). `at`: ms since the epoch. */
export function emailEventPayload(event: string, emailId: string, at: number, data: EmailEventData): string {
  const body = { event, email_id: emailId, timestamp: new Date(at).toISOString() };
  return JSON.stringify(bare.has(event) ? body : { ...body, data });
}

/** The class of a refusal by its enhanced status code (RFC 3463), wherever that stands in the server's reply. */
export function bounceClass(reply: string): BounceClass {
  const [, subject = "", detail = ""] = /\b[245]\.(\d{1,3})\.(\d{1,3})\b/.exec(reply) ?? [];
  const code = `${subject}.${detail}`;
  if (code === "2.2") return "mailbox_full";
  if (code === "2.3" || code === "3.4") return "too_large";
  if (subject === "1") return "unknown_recipient";
  if (subject === "2") return "mailbox_unavailable";
  if (subject === "4") return "routing";
  return subject === "7" ? "policy" : "other";
}
