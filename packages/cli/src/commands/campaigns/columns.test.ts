import { createWorld } from "@posthorn/core/testing";
import { expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { connectDirectly } from "../../program/connection/connect-directly.ts";
import { checkColumns, detailedColumns } from "./columns.ts";

test("a single campaign shows where all of its recipients are", async () => {
  const world = await createWorld(await openTestSqlite());
  const { id: workspaceId } = await world.addWorkspace({ name: "Shop" });
  const shop = world.posthorn.workspace(workspaceId);
  await shop.suppressions.create({ email: "s@example.com" });
  const { id: campaignId } = await shop.campaigns.create({
    name: "Spring",
    subject: "Hi",
    text: "x",
    pace: { perHour: 1 },
  });
  await shop.campaigns.addRecipients({
    campaignId,
    recipients: ["s", "a", "b", "c"].map((name) => ({ to: `${name}@example.com` })),
  });
  await shop.campaigns.start({ campaignId });
  await world.posthorn.drain();
  await shop.campaigns.cancel({ campaignId });
  await world.posthorn.drain();
  const api = connectDirectly(world.posthorn).on(workspaceId);
  const campaign = await api.request("GET /workspaces/current/campaigns/{id}", { id: campaignId });
  const shown = Object.fromEntries(detailedColumns.map(({ title, cell }) => [title, cell(campaign)]));
  expect(shown).toMatchObject({
    RECIPIENTS: "4",
    "NOT YET QUEUED": "0",
    "QUEUED SO FAR": "1",
    SENT: "1",
    SKIPPED: "1",
    CANCELLED: "2",
    FAILED: "0",
  });
  await world.close();
});

test("a check tells in words what it warns of, and counts the lines that were left off the list", async () => {
  const world = await createWorld(await openTestSqlite(), { baseUrl: "https://mail.example.com" });
  const { id: workspaceId } = await world.addWorkspace({ name: "Shop" });
  const api = connectDirectly(world.posthorn).on(workspaceId);
  const { id } = await api.request("POST /workspaces/current/campaigns", {
    name: "Spring",
    subject: "Hi",
    html: "<p>Spring</p>",
    unsubscribe: { list: "news" },
  });
  await api.request("POST /workspaces/current/campaigns/{id}/recipients", {
    id,
    recipients: [{ to: "ada@example.com" }],
  });
  const checked = await api.request("POST /workspaces/current/campaigns/{id}/check", { id });
  const shown = Object.fromEntries(
    checkColumns.map(({ title, cell }) => [title, cell({ ...checked, invalid: 2 })]),
  );
  expect(shown).toMatchObject({
    RECIPIENTS: "1",
    "LEFT OFF THE LIST": "2",
    WARNINGS: "The html has no link to unsubscribe: add {{unsubscribe_url}}.",
  });
  await world.close();
});
