import { compileTemplate } from "../content/rendering/compile-template.ts";
import { type EventType, eventKindOf } from "../events.ts";
import { serviceRoute } from "../mail/rules/routes.ts";
import { seal } from "../mail/submission/sealed-content.ts";
import { type SystemMail, systemMails } from "../mail/system-mails.ts";
import type { NewEmail, NewEvent, Repositories, Topic } from "../ports/storage.ts";
import type { Facilities } from "../service/runtime.ts";
import type { Caller } from "./caller.ts";
import type { Outbox } from "./change-piece.ts";
import type { Emission } from "./use-case.ts";

export const createOutbox = (): Outbox => ({ events: [], mails: [], deliveries: [], topics: [] });

/** Returns the actor of an event for a caller. */
function actorOf(caller: Caller): { id: number | undefined; name: string } {
  if (caller.kind === "user") return { id: caller.userId, name: caller.name };
  if (caller.kind === "anonymous") return { id: undefined, name: "" };
  return { id: undefined, name: caller.kind === "api_key" ? `API key ${caller.name}` : caller.name };
}

/** Returns the caller's name for e-mails; empty unless it is a person, as other names mean nothing to their readers. */
export const personOf = (caller: Caller): string => (caller.kind === "user" ? caller.name : "");

interface Origin {
  caller: Caller;
  workspaceId: number | undefined;
  clientIp: string;
  now: number;
}

/** Creates an event's row. A metadata key that the table of events does not list is a programming error. */
export function createEvent(type: EventType, emission: Emission, origin: Origin): NewEvent {
  const kind = eventKindOf(type);
  const metadata = emission.metadata ?? {};
  for (const key in metadata) {
    if (!kind.metadata.includes(key)) throw new TypeError(`event ${type} has no metadata key ${key}`);
  }
  const actor = emission.actor ?? actorOf(origin.caller);
  const says = emission.isOtherwise ? (kind.saysOtherwise ?? kind.says) : kind.says;
  const emailId = kind.traced === true ? metadata["email_id"] : undefined;
  const callerId = origin.caller.kind === "user" ? origin.caller.userId : undefined;
  return {
    category: kind.category,
    type,
    workspaceId: kind.personal ? undefined : (emission.workspaceId ?? origin.workspaceId),
    userId: kind.personal ? (emission.userId ?? callerId) : undefined,
    actorId: actor.id,
    actorName: actor.name,
    clientIp: origin.clientIp,
    message: `${actor.name === "" ? "Someone" : actor.name} ${says}${hint(metadata)}`,
    metadata: JSON.stringify(metadata),
    createdAt: origin.now,
    ...(typeof emailId === "string" ? { emailId } : {}),
  };
}

function hint(metadata: Record<string, unknown>): string {
  const word = metadata["name"] ?? metadata["email"] ?? metadata["url"];
  if (typeof word === "string") return `: ${word}`;
  const { from, to } = metadata;
  if (typeof from === "string" && typeof to === "string") return ` from ${from} to ${to}`;
  return "";
}

/** Adds events and deliveries to the outbox. */
export function addNotifications(outbox: Outbox, notifications: Pick<Outbox, "events" | "deliveries">): void {
  outbox.events.push(...notifications.events);
  outbox.deliveries.push(...notifications.deliveries);
}

/** Writes the outbox. Returns the topics to notify after the commit. */
export async function writeOutbox(
  runtime: Facilities,
  storage: Repositories,
  outbox: Outbox,
): Promise<Topic[]> {
  const topics = new Set<Topic>(outbox.topics);
  if (outbox.mails.length > 0) {
    await storage.emails.insert(
      await Promise.all(outbox.mails.map((mail) => createSystemEmail(runtime, storage, mail))),
    );
    topics.add("emails");
  }
  if (outbox.deliveries.length > 0) {
    await storage.webhookDeliveries.insert(outbox.deliveries);
    topics.add("webhooks");
  }
  if (outbox.events.length > 0) {
    await storage.events.append(outbox.events);
    topics.add("events");
  }
  return [...topics];
}

/** Creates the e-mail for one of the service's own mails. */
export async function createSystemEmail(
  runtime: Facilities,
  storage: Repositories,
  mail: SystemMail,
): Promise<NewEmail> {
  const id = runtime.newId();
  const now = runtime.now();
  const queuedAt = runtime.queueClock.now();
  const content = systemMails[mail.kind];
  const sender = runtime.config.systemSender;
  const data = { ...mail.data, service: sender.name || sender.address, address: mail.to.address };
  return {
    id,
    workspaceId: undefined,
    template: undefined,
    templateVersionId: undefined,
    contentId: await storage.contents.put(content),
    stylesheetSetId: undefined,
    smtpServerId: undefined,
    from: sender.address,
    subject: compileTemplate(content.subject, { escape: "none", singleLine: true }).render(data).output,
    tags: [`posthorn:${mail.kind}`],
    payload: {
      from: sender,
      replyTo: [],
      headers: [{ name: "Auto-Submitted", value: "auto-generated" }],
      // Encrypted, as a link in it may hold a token, of which the database otherwise stores only a digest.
      data: seal(runtime, id, { data }),
      literal: false,
    },
    metadata: {},
    route: serviceRoute,
    lane: 0,
    createdAt: now,
    scheduledAt: undefined,
    deliverBefore: undefined,
    isSensitive: false,
    apiKeyId: undefined,
    batchId: undefined,
    recipients: [{ kind: "to", ...mail.to }],
    dueAt: queuedAt,
    queuedAt,
  };
}
