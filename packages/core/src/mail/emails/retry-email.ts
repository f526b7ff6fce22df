import { z } from "zod";
import { useCase, type WriteContext } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Email } from "../../ports/storage/emails.ts";
import { type EmailView, viewKept } from "./email-view.ts";

const input = z.strictObject({ emailId: z.uuid().describe("The e-mail's id, a UUID.") });

type Context = Pick<
  WriteContext<"administrator"> | WriteContext<"emails:write">,
  "storage" | "workspace" | "runtime" | "now" | "emit" | "wake"
>;

async function retry(
  { storage, workspace, runtime, now, emit, wake }: Context,
  { emailId }: z.output<typeof input>,
): Promise<EmailView> {
  const before = await storage.emails.find(workspace?.id, emailId, now);
  if (before === undefined) throw new ServiceError("not_found");
  const queued = runtime.queueClock.now();
  const fault = faultOf(before, queued);
  if (fault !== undefined) throw new ServiceError("not_retryable", { message: fault });
  if (!(await storage.emails.retry(workspace?.id, emailId, queued))) {
    throw new ServiceError("not_retryable", {
      message: `Only a failed e-mail can be tried again; this one is ${before.status}.`,
    });
  }
  const email = await storage.emails.find(workspace?.id, emailId, now);
  if (email === undefined) throw new ServiceError("not_found");
  emit("email.retried", {
    metadata: { email_id: emailId },
    ...(email.workspaceId === undefined ? {} : { workspaceId: email.workspaceId }),
  });
  wake("emails");
  return viewKept(storage, email);
}

function faultOf(
  { workspaceId, isSensitive, deliverBefore, contentId }: Email,
  now: number,
): string | undefined {
  if (workspaceId === undefined)
    return "The links of the service's own mails are forgotten with the last attempt; have it sent anew.";
  if (isSensitive) return "It is marked as sensitive: what it says is forgotten with the last attempt.";
  if (contentId === undefined)
    return "What it said is gone: its time was over (content_retention_days), or its recipient was erased.";
  if (deliverBefore !== undefined && deliverBefore <= now)
    return `It was of use until ${new Date(deliverBefore).toISOString()}: no attempt begins any more.`;
  return undefined;
}

/** Puts a failed e-mail back into the queue, for the recipients that did not get it. For operators. */
export const retryEmail = useCase({
  access: "administrator",
  refusals: ["not_retryable"],
  input,
  run: retry,
});

/** Puts a failed e-mail back into the queue, for the recipients that did not get it. For people (platform.md P4). */
export const retryWorkspaceEmail = useCase({
  access: "emails:write",
  refusals: ["not_retryable"],
  input,
  run: retry,
});
