import type { EmailDetails } from "../../service/wait-for-email.ts";

/** Describes reports about a recipient that its state does not show. */
export function reportedWords(recipient: EmailDetails["recipients"][number]): string {
  const bounce = recipient.bounced_at === null ? [] : [`bounced (${recipient.class}: ${recipient.category})`];
  return [...bounce, ...(recipient.complained_at === null ? [] : ["complained"])].join(", ");
}
