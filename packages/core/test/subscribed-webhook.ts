import { workspace, world } from "./world-for-each.ts";

export const url = "https://hooks.example.com/posthorn";
type CreateInput = { url?: string; events?: string[]; filters?: string[] };

export const create = (input: CreateInput = {}, as = workspace.asOwner) =>
  world.posthorn.webhooks.create({ url, events: ["email.sent"], ...input }, as);

export const eventsOf = async () =>
  (await world.storage.events.list({ workspaceId: workspace.id }, { offset: 0, limit: 50 })).items
    .filter(({ type }) => type.startsWith("webhook."))
    .map(({ type, metadata }) => [type, JSON.parse(metadata)]);
