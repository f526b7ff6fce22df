import { z } from "zod";
import { type ReadContext, useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { Permission } from "../../permissions.ts";
import { type EmailDetails, viewKept } from "./email-view.ts";
import { buildTimeline } from "./timeline/build-timeline.ts";
import { readSources } from "./timeline/read-sources.ts";

const input = z.strictObject({ emailId: z.uuid().describe("The e-mail's id, a UUID.") });

async function get(
  {
    storage,
    workspace,
    runtime,
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
  const isOperator = workspace === undefined;
  const known = { email, recipients, attempts, isOperator };
  const sources = await readSources(storage, known, runtime.queueClock.now());
  if (sources === undefined) throw new ServiceError("not_found");
  const isSettled = !["scheduled", "queued", "sending"].includes(email.status);
  return {
    ...view,
    contentRemoved: email.contentId === undefined || (email.isSensitive && isSettled),
    recipients,
    attempts: attempts.map(({ trace: _, ...attempt }) => attempt),
    timeline: buildTimeline(sources),
  };
}

/** One e-mail with its recipients' states, its attempts and all that happened to it, for a key (decisions §7). */
export const getEmail = useCase({ access: "api_key", reads: true, input, run: get });

/** One e-mail with its recipients' states, its attempts and all that happened to it, for people (decisions §7). */
export const getWorkspaceEmail = useCase({ access: "emails:read", reads: true, input, run: get });

/** One e-mail of any workspace or of the service itself, with what its mail servers said of themselves: for operators. */
export const getAnyEmail = useCase({ access: "administrator", reads: true, input, run: get });
