import type { Listing, Slice } from "../../ports/storage.ts";
import { NOW, newCampaign, newDelivery, newEmail, nextId, type SendingWorld } from "./sending-world.ts";
import {
  named,
  newDomain,
  newEndpoint,
  newEvent,
  newPlan,
  newReport,
  newSuppression,
  newVersion,
} from "./walked-rows.ts";

/** A list with a way to add items, which are identified by a text. */
export interface WalkedList {
  /** Adds an item to the list. */
  add(): Promise<unknown>;
  list(slice: Slice): Promise<Listing<string>>;
  /** Whether added items come at the end of the list. Default: at its beginning. */
  growsAtEnd?: boolean;
}

/** Names of the tested lists. */
export const walkedNames = [
  "e-mails",
  "e-mails of a status and a template",
  "e-mails of an outcome",
  "e-mails with a label",
  "events",
  "events of a category and a workspace",
  "suppressions",
  "reports",
  "inbound endpoints",
  "deliveries",
  "campaigns",
  "recipients of a campaign",
  "templates",
  "versions of a template",
  "API keys",
  "stylesheets",
  "domains",
  "users",
  "sessions of a user",
  "workspaces",
  "workspaces of a user",
  "holders of a plan",
] as const;

type WalkedName = (typeof walkedNames)[number];

/** Returns the items of a list by their identifying text. */
const by = async <T>(listing: Promise<Listing<T>>, tell: (item: T) => unknown): Promise<Listing<string>> => {
  const { items, ...rest } = await listing;
  return { ...rest, items: items.map((item) => String(tell(item))) };
};

/** Opens a storage with the rows that the lists need; each list is empty. */
export async function openLists(world: SendingWorld): Promise<Record<WalkedName, WalkedList>> {
  const { storage, workspaceId } = world;
  const { emails, events, suppressions, reports, inboundEndpoints } = storage;
  const { campaigns, templates, stylesheets, domains } = storage;
  const template = "welcome";
  const append = (type: string) => events.append([newEvent(workspaceId, type)]);
  const webhook = await world.addWebhook();
  const emailOf = (over: object) => emails.insert([newEmail(world, over)]);
  return {
    "e-mails": {
      add: () => emailOf({}),
      list: (slice) => by(emails.list({ workspaceId }, slice, NOW), ({ id }) => id),
    },
    "e-mails of a status and a template": {
      async add() {
        await emailOf({});
        await emailOf({ template });
      },
      list: (slice) =>
        by(emails.list({ workspaceId, status: "queued", template }, slice, NOW), ({ id }) => id),
    },
    "e-mails of an outcome": {
      async add() {
        const email = newEmail(world);
        await emails.insert([newEmail(world), email]);
        await emails.cancel(workspaceId, email.id, NOW);
      },
      list: (slice) => by(emails.list({ workspaceId, status: "cancelled" }, slice, NOW), ({ id }) => id),
    },
    "e-mails with a label": {
      async add() {
        await emailOf({});
        await emailOf({ tags: ["spring"] });
      },
      list: (slice) => by(emails.list({ workspaceId, tag: "spring" }, slice, NOW), ({ id }) => id),
    },
    events: {
      add: () => append("settings.updated"),
      list: (slice) => by(events.list({ workspaceId: "all" }, slice), ({ id }) => id),
    },
    "events of a category and a workspace": {
      async add() {
        await append("settings.updated");
        await events.append([newEvent(undefined, "plan.created")]);
      },
      list: (slice) => by(events.list({ workspaceId, category: "audit" }, slice), ({ id }) => id),
    },
    suppressions: {
      add: () => suppressions.put([newSuppression(workspaceId)], NOW),
      list: (slice) => by(suppressions.list({ workspaceId }, slice, NOW), ({ address }) => address),
    },
    "inbound endpoints": {
      add: () => inboundEndpoints.insert(newEndpoint(workspaceId)),
      list: (slice) => by(inboundEndpoints.list(workspaceId, slice), ({ id }) => id),
    },
    reports: {
      add: () => reports.keep(newReport(workspaceId)),
      list: (slice) => by(reports.list({ workspaceId }, slice), ({ id }) => id),
    },
    deliveries: {
      add: () => storage.webhookDeliveries.insert([newDelivery(webhook)]),
      list: (slice) => by(storage.webhookDeliveries.list(workspaceId, webhook.id, slice), ({ id }) => id),
    },
    campaigns: {
      add: () => campaigns.insert(newCampaign(world)),
      list: (slice) => by(campaigns.list({ workspaceId }, slice), ({ id }) => id),
    },
    "recipients of a campaign": await recipientsOf(world),
    templates: {
      add: () =>
        templates.insert(
          { ...named(workspaceId), description: "", defaultLanguage: "en" },
          newVersion(world),
        ),
      list: (slice) => by(templates.list(workspaceId, slice), ({ id }) => id),
    },
    "versions of a template": await versionsOf(world),
    "API keys": await keysOf(world),
    stylesheets: {
      add: () => stylesheets.insert({ ...named(workspaceId), css: "" }),
      list: (slice) => by(stylesheets.list(workspaceId, slice), ({ id }) => id),
    },
    domains: {
      add: () => domains.insert(newDomain(workspaceId)),
      list: (slice) => by(domains.list(workspaceId, slice), ({ id }) => id),
    },
    ...(await peopleOf(world)),
  };
}

/** The walk's own workspace has a key already. */
async function keysOf({ storage: { apiKeys }, addWorkspace }: SendingWorld): Promise<WalkedList> {
  const workspaceId = await addWorkspace("Keys");
  return {
    add: () =>
      apiKeys.insert({
        ...named(workspaceId),
        prefix: "sk_",
        createdBy: undefined,
        expiresAt: undefined,
        digest: nextId(),
      }),
    list: (slice) => by(apiKeys.list(workspaceId, slice), ({ id }) => id),
  };
}

async function versionsOf(world: SendingWorld): Promise<WalkedList> {
  const { templates } = world.storage;
  const workspaceId = await world.addWorkspace("Versions");
  // A template has a first version: the list begins empty, as one that does not exist.
  const templateId = nextId();
  return {
    async add() {
      const version = await templates.insertVersion(workspaceId, templateId, newVersion(world));
      if (version !== undefined) return;
      const template = { ...named(workspaceId), id: templateId, description: "", defaultLanguage: "en" };
      await templates.insert(template, newVersion(world));
    },
    list: (slice) => by(templates.listVersions(workspaceId, templateId, slice), ({ id }) => id),
  };
}

async function recipientsOf(world: SendingWorld): Promise<WalkedList> {
  const { campaigns } = world.storage;
  const workspaceId = await world.addWorkspace("Elsewhere");
  const { id } = await campaigns.insert(newCampaign({ ...world, workspaceId }));
  return {
    growsAtEnd: true,
    add: () =>
      campaigns.addRecipients(id, [{ name: "", address: `${nextId()}@a.example`, templateData: {} }]),
    list: (slice) => by(campaigns.recipients({ id, workspaceId }, {}, slice), ({ address }) => address),
  };
}

type OfPeople = "users" | "sessions of a user" | "workspaces" | "workspaces of a user" | "holders of a plan";

async function peopleOf({ storage, addWorkspace }: SendingWorld): Promise<Record<OfPeople, WalkedList>> {
  const { users, sessions, workspaces, members, plans } = storage;
  const addUser = () =>
    users.insert({
      name: "Walker",
      email: `${nextId()}@example.com`,
      passwordHash: "",
      emailVerifiedAt: undefined,
      isAdmin: false,
      isVouchedFor: true,
      createdAt: NOW,
    });
  const plan = await plans.insert(newPlan);
  let holders = 0;
  let owner: { id: number } | undefined;
  let visitor: { id: number } | undefined;
  return {
    users: { add: addUser, list: (slice) => by(users.list({ q: "walker" }, slice), ({ id }) => id) },
    "sessions of a user": {
      async add() {
        visitor ??= await addUser();
        const times = { createdAt: NOW, expiresAt: NOW + 1 };
        const session = { userId: visitor.id, userAgent: "", ipAddress: "", ...times };
        await sessions.insert({ ...session, id: nextId() });
        await sessions.insert({ ...session, id: nextId(), expiresAt: NOW });
      },
      list: (slice) => by(sessions.list(visitor?.id ?? 0, NOW, slice), ({ id }) => id),
    },
    workspaces: {
      add: () => addWorkspace("Walked"),
      list: (slice) => by(workspaces.list({ q: "walked" }, slice), ({ id }) => id),
    },
    "workspaces of a user": {
      async add() {
        owner ??= await addUser();
        const id = await addWorkspace("Mine");
        await members.insert({ workspaceId: id, userId: owner.id, role: "owner", createdAt: NOW });
      },
      list: (slice) => by(workspaces.listFor(owner?.id ?? 0, slice), ({ id }) => id),
    },
    "holders of a plan": {
      growsAtEnd: true,
      async add() {
        holders += 1;
        // Workspaces precede users, so workspaces added during the walk come next.
        if (holders > 3) return users.update((await addUser()).id, { planId: plan.id });
        return workspaces.update(await addWorkspace("Held"), { planId: plan.id, updatedAt: NOW });
      },
      list: (slice) => by(plans.listHolders(plan.id, slice), ({ kind, id }) => `${kind} ${id}`),
    },
  };
}
