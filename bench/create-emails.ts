import type { Lane, NewEmail } from "@posthorn/core/storage";
import { dataOf, rendered } from "./mail.ts";

/** Creates e-mails that are due at once, as acceptance would write them. */
export function createEmails({
  workspaceId,
  contentId,
  route = `w:${workspaceId}`,
  lane = 1,
}: {
  workspaceId: number;
  contentId: number;
  route?: string;
  lane?: Lane;
}): (number: number) => NewEmail {
  const now = Date.now();
  return (number) => ({
    id: `0199d3c1-7a5e-7000-8000-${String(number).padStart(12, "0")}`,
    workspaceId,
    apiKeyId: undefined,
    batchId: undefined,
    template: "order",
    templateVersionId: undefined,
    contentId,
    stylesheetSetId: undefined,
    smtpServerId: undefined,
    from: "Shop <shop@example.org>",
    subject: rendered(number).subject,
    tags: [],
    payload: {
      from: { name: "Shop", address: "shop@example.org" },
      replyTo: [],
      headers: [],
      data: dataOf(number),
      literal: false,
    },
    metadata: {},
    route,
    lane,
    createdAt: now,
    scheduledAt: undefined,
    deliverBefore: undefined,
    isSensitive: false,
    recipients: [{ kind: "to", name: "", address: "ann@example.net" }],
    dueAt: now,
    queuedAt: now,
  });
}
