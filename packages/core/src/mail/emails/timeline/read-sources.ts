import type {
  Email,
  EmailAttempt,
  EmailHistory,
  EventRecord,
  ParkedRoute,
  RecipientDetails,
  Repositories,
  WebhookDeliveries,
} from "../../../ports/storage.ts";

/** Maximum number of events, and of webhook deliveries, in a timeline. */
const maxOfEach = 200;

/** Data that a timeline is built from. */
export interface TimelineSources {
  email: Email;
  recipients: RecipientDetails[];
  attempts: EmailAttempt[];
  history: EmailHistory;
  events: EventRecord[];
  deliveries: Awaited<ReturnType<WebhookDeliveries["listAbout"]>>;
  /** Current holds on the e-mail's route. */
  holds: ParkedRoute[];
  /** Names of the workspace's servers by id. */
  servers: ReadonlyMap<string, string>;
  /** The sender of the e-mail, if known. */
  sender: string | undefined;
  /** Whether the caller may read what the operator's server replies about itself. */
  isOperator: boolean;
}

type Known = Pick<TimelineSources, "email" | "recipients" | "attempts" | "isOperator">;

/** Reads the data for a timeline besides the e-mail, each by an index. `undefined` if the e-mail is gone. */
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
    storage.events.listAbout(email.id, maxOfEach),
    workspaceId === undefined ? [] : storage.webhookDeliveries.listAbout(workspaceId, email.id, maxOfEach),
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
