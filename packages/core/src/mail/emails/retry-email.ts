import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Email, RecipientDetails, Repositories } from "../../ports/storage.ts";
import { findSuppressed } from "../../suppressions/find-suppressed.ts";
import { createDirectLookups } from "../acceptance/lookups.ts";
import { bouncesTakenBack } from "../metrics/metric-changes.ts";
import { allSuppressed } from "../submission/checks/all-suppressed.ts";
import { type EmailView, findEmailOrThrow, viewStored } from "./email-view.ts";

/**
 * Queues a failed e-mail again, for the recipients that did not get it (platform.md P4). Throws `not_retryable` if it
 * did not fail, its content is removed, or its deadline has passed, and `all_recipients_suppressed` if each of these
 * recipients is suppressed. With the workspace `all`, for administrators, an e-mail of any workspace.
 */
export const retryEmail = useCase({
  access: ["emails:write", "administrator"],
  refusals: ["not_retryable", "all_recipients_suppressed"],
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
    const { workspaceId } = before;
    if (workspaceId !== undefined) {
      const again = (await storage.emails.recipients(emailId)).map(({ state }) => state === "pending");
      const open = tried.filter((_, position) => again[position]);
      await refuseSuppressed(storage, { workspaceId, emailId, now: runtime.now() }, open);
      await storage.metrics.takeBack(bouncesTakenBack(workspaceId, open));
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

/**
 * Refuses if all who would get the e-mail are suppressed, such as by its own bounce: it would end as suppressed, and
 * could not be tried again once they no longer are.
 */
async function refuseSuppressed(
  storage: Repositories,
  { workspaceId, emailId, now }: { workspaceId: number; emailId: string; now: number },
  open: readonly RecipientDetails[],
): Promise<void> {
  const content = await storage.emails.content(emailId);
  const question = { workspaceId, list: content?.payload?.unsubscribe?.list, now };
  const addresses = open.map(({ address }) => address);
  const suppressed = await findSuppressed(createDirectLookups(storage), question, addresses);
  if (addresses.every((address) => suppressed.has(address))) throw allSuppressed(suppressed);
}

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
