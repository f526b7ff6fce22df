import { afterEach, beforeEach, expect } from "vitest";
import { workspaceRoute } from "../../mail/rules/routes.ts";
import type {
  EmailFilter,
  ErasedPerson,
  NewCampaign,
  NewEmail,
  NewWebhookDelivery,
  Storage,
  Webhook,
} from "../../ports/storage.ts";
import { defaultSettings } from "../../workspaces/create-workspace.ts";

/** 2026-01-01T00:00:00Z, the current time of the contract tests. */
export const NOW = Date.UTC(2026, 0, 1);

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const ada = "ada@example.com";
export const bob = "bob@example.com";

/** Recipients with these addresses, and the first letters of them as names. */
export const to = (...addresses: string[]) =>
  addresses.map((address) => ({ kind: "to" as const, name: address.slice(0, 3), address }));

/** A storage with one workspace, one content and one API key, for tests about sending. */
export interface SendingWorld {
  storage: Storage;
  workspaceId: number;
  contentId: number;
  apiKeyId: string;
  addWorkspace(name: string): Promise<number>;
  addWebhook(over?: Partial<Webhook>): Promise<Webhook>;
}

let lastId = 0;

/** Returns the next id in the form of a UUID version 7; ids sort in the order of their creation. */
export function nextId(): string {
  lastId += 1;
  return `019b76da-a800-7000-8000-${lastId.toString(16).padStart(12, "0")}`;
}

/** Opens a storage before each test and closes it after. Use the world only inside tests. */
export function useSendingWorld(open: () => Promise<Storage>): () => SendingWorld {
  let world: SendingWorld | undefined;
  beforeEach(async () => {
    world = await createWorld(await open());
  });
  afterEach(async () => {
    await world?.storage.close();
    world = undefined;
  });
  return () => {
    if (world === undefined) throw new Error("There is no world outside a test");
    return world;
  };
}

/**
 * Returns the subjects of the e-mails that a filter matches, and asserts that the total is their number: that of their
 * page, which tells it, and that of one behind the end, where it is counted.
 */
export const listedIn =
  (world: () => SendingWorld) =>
  async (filter: Partial<EmailFilter>, now = NOW): Promise<string[]> => {
    const { storage, workspaceId } = world();
    const page = { offset: 0, limit: 50 };
    const { items, total } = await storage.emails.list({ workspaceId, ...filter }, page, now);
    const behind = await storage.emails.list({ workspaceId, ...filter }, { ...page, offset: 50 }, now);
    expect([total, behind.total]).toEqual([items.length, items.length]);
    return items.map(({ subject }) => subject);
  };

/** The settings of a new workspace. */
export const freshSettings = (workspaceId: number) =>
  defaultSettings(workspaceId, { webhooks: { maxRetries: 3 } }, NOW);

async function createWorld(storage: Storage): Promise<SendingWorld> {
  async function addWorkspace(name: string): Promise<number> {
    const { id } = await storage.workspaces.insert({ name, isTrusted: true, createdAt: NOW });
    await storage.settings.insert(freshSettings(id));
    return id;
  }
  const workspaceId = await addWorkspace("Acme");
  const contentId = await storage.contents.put({ subject: "Hello", html: "<p>Hello</p>", text: "Hello" });
  const key = await storage.apiKeys.insert({
    id: nextId(),
    workspaceId,
    name: "Test",
    prefix: "sk_test0",
    createdBy: undefined,
    createdAt: NOW,
    expiresAt: undefined,
    digest: nextId(),
  });
  const addWebhook = (over: Partial<Webhook> = {}): Promise<Webhook> =>
    storage.webhooks.insert({
      id: nextId(),
      workspaceId,
      url: "https://hooks.example.com/",
      events: ["*"],
      filters: [],
      isActive: true,
      secret: "sealed",
      createdAt: NOW,
      ...over,
    });
  return { storage, workspaceId, contentId, apiKeyId: key.id, addWorkspace, addWebhook };
}

/** An e-mail to ada@example.com with literal content, due now. */
export function newEmail(world: SendingWorld, over: Partial<NewEmail> = {}): NewEmail {
  return {
    id: nextId(),
    workspaceId: world.workspaceId,
    template: undefined,
    templateVersionId: undefined,
    contentId: world.contentId,
    stylesheetSetId: undefined,
    smtpServerId: undefined,
    from: "Acme <hello@acme.example>",
    subject: "Hello",
    tags: [],
    payload: {
      from: { name: "Acme", address: "hello@acme.example" },
      replyTo: [],
      headers: [],
      data: { name: "Ada" },
      literal: false,
    },
    metadata: {},
    route: workspaceRoute(world.workspaceId),
    lane: 1,
    createdAt: NOW,
    scheduledAt: undefined,
    deliverBefore: undefined,
    isSensitive: false,
    apiKeyId: world.apiKeyId,
    batchId: undefined,
    recipients: [{ kind: "to", name: "", address: ada }],
    dueAt: NOW,
    queuedAt: NOW,
    ...over,
  };
}

/** The recipient ada@example.com, whose data is to be erased. */
export const erasedPerson = ({ workspaceId }: Pick<SendingWorld, "workspaceId">): ErasedPerson => ({
  workspaceId,
  address: ada,
  addressKey: ada,
  erasedAs: "erased-0123abcd@invalid",
});

/** A delivery of `email.sent` to a webhook. */
export function newDelivery(webhook: Webhook, createdAt = NOW): NewWebhookDelivery {
  return {
    id: nextId(),
    webhookId: webhook.id,
    workspaceId: webhook.workspaceId,
    event: "email.sent",
    payload: '{"event":"email.sent"}',
    createdAt,
    dueAt: createdAt,
  };
}

/** A campaign in the state `draft`. */
export const newCampaign = (
  { workspaceId, contentId }: Pick<SendingWorld, "workspaceId" | "contentId">,
  over: Partial<NewCampaign> = {},
): NewCampaign => ({
  workspaceId,
  name: "Spring",
  template: undefined,
  templateVersionId: undefined,
  contentId,
  attachmentSetId: undefined,
  from: { name: "Shop", address: "news@shop.example" },
  plan: {
    replyTo: [],
    headers: {},
    tags: ["spring"],
    metadata: {},
    unsubscribeList: undefined,
    pace: { perSecond: undefined, perHour: undefined },
    ramp: undefined,
    onMissing: "skip",
    autoPause: { bounceRate: 0.05, complaintRate: 0.003, after: 200 },
  },
  scheduledAt: undefined,
  createdBy: undefined,
  createdAt: NOW,
  ...over,
});
