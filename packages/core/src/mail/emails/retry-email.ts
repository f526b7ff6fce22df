import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { uuidField } from "../../calls/uuid-field.ts";
import { ServiceError } from "../../errors.ts";
import type { Email } from "../../ports/storage/emails.ts";
import type { Repositories } from "../../ports/storage.ts";
import { bouncesTakenBack } from "../metrics/metric-changes.ts";
import { type EmailView, findEmailOrThrow, viewStored } from "./email-view.ts";

/**
 * Queues a failed e-mail again, for the recipients that did not get it (platform.md P4). Throws `not_retryable` if it
 * did not fail, its content is removed, or its deadline has passed. With the workspace `all`, for administrators, an
 * e-mail of any workspace.
 */
export const retryEmail = useCase({
  access: ["emails:write", "administrator"],
  refusals: ["not_retryable"],
  input: z.strictObject({ emailId: uuidField.describe("The e-mail's id, a UUID.") }),
  async run({ storage, workspace, runtime, emit, wake }, { emailId }): Promise<EmailView> {
    const place = workspace?.id ?? "all";
    const now = runtime.queueClock.now();
    const before = await findEmailOrThrow(storage, place, emailId, now);
    const fault = faultOf(before, now);
    if (fault !== undefined) throw new ServiceError("not_retryable", { message: fault });
    const tried = await storage.emails.recipients(emailId);
    const retried = await storage.emails.retry(place, emailId, now);
    if (retried === undefined) {
      const isFailed = before.status === "failed" || before.status === "partially_sent";
      const message = isFailed
        ? "Nobody is left to get it: those who did not were erased."
        : `Only a failed e-mail can be tried again; this one is ${before.status}.`;
      throw new ServiceError("not_retryable", { message });
    }
    const email = await findEmailOrThrow(storage, place, emailId, now);
    if (before.workspaceId !== undefined) {
      const again = (await storage.emails.recipients(emailId)).map(({ state }) => state === "pending");
      const bounced = bouncesTakenBack(
        before.workspaceId,
        tried.filter((_, position) => again[position]),
      );
      await storage.metrics.takeBack(bounced);
    }
    if (before.campaignId !== undefined) await uncount(storage, before.campaignId, retried);
    emit("email.retried", {
      metadata: { email_id: emailId },
      ...(email.workspaceId === undefined ? {} : { workspaceId: email.workspaceId }),
    });
    wake("emails");
    return viewStored(storage, email);
  },
});

/** Takes the former end of a campaign's e-mail from the counts: its next one is counted. */
async function uncount(
  { campaigns }: Pick<Repositories, "campaigns">,
  campaignId: number,
  { bounces }: { bounces: number },
): Promise<void> {
  const changes = [
    { campaignId, counter: "failed", by: -1 },
    { campaignId, counter: "settled", by: -1 },
    { campaignId, counter: "bounced", by: -bounces },
  ] as const;
  await campaigns.count(changes.filter(({ by }) => by < 0));
}

function faultOf(
  { workspaceId, isSensitive, deliverBefore, contentId }: Email,
  now: number,
): string | undefined {
  if (workspaceId === undefined)
    return "The links in the service's own e-mails are removed after the last attempt; request a new e-mail.";
  if (isSensitive) return "The e-mail is sensitive: its content was removed after the last attempt.";
  if (contentId === undefined)
    return "The content was removed: its retention period expired (content_retention_days), or its recipient was erased.";
  if (deliverBefore !== undefined && deliverBefore <= now)
    return `Its deadline passed at ${new Date(deliverBefore).toISOString()}: no further attempt begins.`;
  return undefined;
}
