import { afterEach, beforeEach } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld, type TestWorkspace, type World } from "../src/testing/world.ts";

export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
export let world: World;
export let shop: TestWorkspace;
export const own = () => world.posthorn.workspace(shop.id).campaigns;

export const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    to: `person${from + index}@example.com`,
    templateData: { name: `Person ${from + index}` },
  }));

export const make = async (count: number, over: Record<string, unknown> = {}) => {
  const { id } = await own().create({
    name: "Spring",
    subject: "For {{name}}",
    text: "Hello {{name}}",
    recipients: people(count),
    ...over,
  });
  return { campaignId: id };
};

export const get = (campaign: { campaignId: number }) => own().get(campaign);
export const subjects = () => world.mailer.inbox.all().map(({ subject }) => subject);

export const eventsOf = async (type: string) =>
  (await world.storage.events.list({ type, workspaceId: shop.id }, { offset: 0, limit: 100 })).items;

/** Opens a world with a shop before each test of a file, and closes it after. */
export function openCampaignWorldForEach(): void {
  beforeEach(async () => {
    world = await createWorld(await openTestSqlite());
    shop = await world.addWorkspace({ name: "Shop" });
  });
  afterEach(() => world.close());
}
