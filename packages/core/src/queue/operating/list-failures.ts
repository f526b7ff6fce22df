import { type EventRecord, type Events, readStoredObject } from "../../ports/storage.ts";

/** A failure of an e-mail. */
export interface MailFailure {
  emailId: string;
  workspaceId: number | undefined;
  type: FailureType;
  /** Time of the failure, ms since the epoch. */
  at: number;
  /** The mail server's reply, or why there was none. */
  reason: string;
}

type FailureType = "email.failed" | "email.delivery_delayed" | "email.bounced";

const types: readonly string[] = [
  "email.failed",
  "email.delivery_delayed",
  "email.bounced",
] satisfies FailureType[];

/** Number of events that are searched, which bounds the cost. */
const looked = 500;
const shown = 10;

/** Lists the latest failures, newest first. An e-mail that bounced at once is listed once. */
export async function listFailures(events: Pick<Events, "lastId" | "listAfter">): Promise<MailFailure[]> {
  const after = Math.max(0, (await events.lastId()) - looked);
  const { events: recent } = await events.listAfter(after, { workspaceId: "all", category: "email" }, looked);
  const failures = recent
    .filter(({ type }) => types.includes(type))
    .reverse()
    .map(viewFailure);
  return failures
    .filter(({ emailId }, at) => failures.findIndex((one) => one.emailId === emailId) === at)
    .slice(0, shown);
}

function viewFailure({ type, workspaceId, createdAt, metadata }: EventRecord): MailFailure {
  const { email_id: emailId, reply, reason } = readStoredObject(metadata) as Partial<Record<string, string>>;
  return {
    emailId: emailId ?? "",
    workspaceId,
    type: type as FailureType,
    at: createdAt,
    reason: reply || reason || "",
  };
}
