import type { Email, Repositories } from "../../ports/storage.ts";
import type { EmailEvent } from "../notifications.ts";

/**
 * Returns the events of e-mails that were just cancelled. One that some recipients got has come to its end as well
 * (decisions §7).
 */
export async function cancelledEvents(
  storage: Pick<Repositories, "emails">,
  cancelled: readonly Email[],
  at: number,
): Promise<EmailEvent[]> {
  const events: EmailEvent[] = [];
  for (const email of cancelled) {
    events.push({ type: "email.cancelled", email, at });
    if (email.status === "partially_sent") events.push(await sentEvent(storage, email, at));
  }
  return events;
}

/** Returns the event of an e-mail whose last recipient is settled, and which some got. */
export async function sentEvent(
  { emails }: Pick<Repositories, "emails">,
  email: Email,
  at: number,
): Promise<EmailEvent> {
  const recipients = await emails.recipients(email.id);
  const count = (state: string) => recipients.filter((one) => one.state === state).length;
  return {
    type: "email.sent",
    email,
    at,
    metadata: { accepted: count("accepted"), failed: count("failed") },
  };
}
