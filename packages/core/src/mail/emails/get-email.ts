import { z } from "zod";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Permission } from "../../permissions.ts";
import { type EmailDetails, viewKept } from "./email-view.ts";

const input = z.strictObject({ emailId: z.uuid().describe("The e-mail's id, a UUID.") });

async function get(
  {
    storage,
    workspace,
    now,
  }: ReadContext<"api_key"> | ReadContext<Permission> | ReadContext<"administrator">,
  { emailId }: z.output<typeof input>,
): Promise<EmailDetails> {
  const email = await storage.emails.find(workspace?.id, emailId, now);
  if (email === undefined) throw new ServiceError("not_found");
  const [view, recipients, attempts] = await Promise.all([
    viewKept(storage, email),
    storage.emails.recipients(emailId),
    storage.emails.attempts(emailId),
  ]);
  const isSettled = !["scheduled", "queued", "sending"].includes(email.status);
  const contentRemoved = email.contentId === undefined || (email.isSensitive && isSettled);
  return { ...view, contentRemoved, recipients, attempts };
}

/** One e-mail with its recipients' states and its attempts, for a key (decisions §7). */
export const getEmail = useCase({ access: "api_key", reads: true, input, run: get });

/** One e-mail with its recipients' states and its attempts, for people (decisions §7). */
export const getWorkspaceEmail = useCase({ access: "emails:read", reads: true, input, run: get });

/** One e-mail of any workspace or of the service itself: for the command line. */
export const getAnyEmail = useCase({ access: "administrator", reads: true, input, run: get });
