import type { Email, EmailAttempt, EmailHistory, RecipientDetails } from "../../../ports/storage/emails.ts";
import type { EventRecord } from "../../../ports/storage/events.ts";
import type { WebhookDelivery } from "../../../ports/storage/webhooks.ts";
import type { ParkedRoute, Repositories } from "../../../ports/storage.ts";

/** Events and webhook deliveries of one e-mail that a timeline has at the most, each. */
export const mostOfEach = 200;

/** All that a timeline is made of. */
export interface TimelineSources {
  email: Email;
  recipients: RecipientDetails[];
  attempts: EmailAttempt[];
  history: EmailHistory;
  events: EventRecord[];
  deliveries: (WebhookDelivery & { url: string })[];
  /** Where it waits: the holds that stand. */
  holds: ParkedRoute[];
  /** Names of the workspace's servers by id. */
  servers: ReadonlyMap<string, string>;
  /** Who sent it, where that is known. */
  sender: string | undefined;
  /** Whether the one who asks may read what the operator's server says of itself. */
  isOperator: boolean;
}

type Known = Pick<TimelineSources, "email" | "recipients" | "attempts" | "isOperator">;

/** Reads what a timeline takes besides the e-mail; each by an index. `undefined` where the e-mail is gone. */
export async function readSources(
  storage: Repositories,
  known: Known,
  now: number,
): Promise<TimelineSources | undefined> {
  const { email } = known;
  const { workspaceId } = email;
  const history = await storage.emails.history(email.id);
  if (history === undefined) return undefined;
  const waits = history.dueAt !== undefined;
  const [events, deliveries, holds, servers, sender] = await Promise.all([
    storage.events.listAbout(email.id, mostOfEach),
    workspaceId === undefined ? [] : storage.webhookDeliveries.listAbout(workspaceId, email.id, mostOfEach),
    waits ? storage.emailQueue.parked(now) : [],
    workspaceId === undefined ? [] : storage.smtpServers.list(workspaceId),
    findSender(storage, email, history),
  ]);
  return {
    ...known,
    history,
    events,
    deliveries,
    holds,
    servers: new Map(servers.map(({ id, name }) => [id, name])),
    sender,
  };
}

async function findSender(
  storage: Repositories,
  { workspaceId }: Email,
  { apiKeyId, origin: { userId } }: EmailHistory,
): Promise<string | undefined> {
  if (userId !== undefined) return (await storage.users.find(userId))?.name;
  if (workspaceId === undefined || apiKeyId === undefined) return undefined;
  const key = await storage.apiKeys.find(workspaceId, apiKeyId);
  return key && `${key.name} (${key.prefix}…)`;
}
