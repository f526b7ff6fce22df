import { describe, expect, test } from "vitest";
import { openWorldForEach, workspace, world } from "../../../test/world-for-each.ts";

openWorldForEach();

const update = (fields: object) => world.posthorn.settings.update(fields, workspace.asOwner);
const get = () => world.posthorn.settings.get({}, workspace.asOwner);

test("begin with the defaults of service.md", async () => {
  expect(await get()).toEqual({
    id: expect.any(Number),
    workspaceId: workspace.id,
    timezone: "UTC",
    defaultSenderName: "",
    defaultSenderEmail: "",
    webhookRetryCount: 3,
    apiKeyExpiryDays: 90,
    dkimRotationDays: 0,
    contentRetentionDays: 0,
    bounceAutoSuppress: true,
    requireVerifiedDomain: false,
    platformServer: true,
    trackOpens: false,
    trackClicks: false,
    trackingDetails: false,
    trackingTrap: false,
    createdAt: world.clock.now(),
    updatedAt: world.clock.now(),
  });
});

test("change in the given fields only, return all, and record what changed", async () => {
  const before = await get();
  world.clock.advance(1000);
  const given = { timezone: "Europe/Paris", webhookRetryCount: 3, bounceAutoSuppress: false };
  const after = await update(given);
  expect(after).toEqual({ ...before, ...given, updatedAt: world.clock.now() });
  expect(await get()).toEqual(after);
  const log = await world.posthorn.auditLog.listForWorkspace({ size: 1 }, workspace.asOwner);
  expect(log.items[0]).toMatchObject({
    type: "settings.updated",
    metadata: {
      changes: {
        timezone: { from: "UTC", to: "Europe/Paris" },
        bounce_auto_suppress: { from: true, to: false },
      },
    },
  });
});

test("a change without effect records no event", async () => {
  const { total } = await world.posthorn.auditLog.listForWorkspace({}, workspace.asOwner);
  expect(await update({ timezone: "UTC" })).toEqual(await get());
  expect((await world.posthorn.auditLog.listForWorkspace({}, workspace.asOwner)).total).toBe(total);
});

test.each([
  { timezone: "America/Argentina/Buenos_Aires" },
  { defaultSenderName: "Ada & Söhne", defaultSenderEmail: "ada@example.com" },
  { defaultSenderEmail: "" },
  { webhookRetryCount: 0 },
  { webhookRetryCount: 10 },
  { apiKeyExpiryDays: 0 },
  { apiKeyExpiryDays: 3650 },
  { requireVerifiedDomain: true },
  { trackOpens: true },
  { trackClicks: true },
  { trackingDetails: true },
  { trackingTrap: true },
  { dkimRotationDays: 3650 },
  { contentRetentionDays: 30 },
])("accept %o", async (fields) => {
  expect(await update(fields)).toMatchObject(fields);
});

test.each([
  ["timezone", "Mars/Olympus"],
  ["timezone", "+02:00"],
  ["timezone", ""],
  ["defaultSenderName", "Ada\r\nBcc: eve@example.com"],
  ["defaultSenderName", "a".repeat(201)],
  ["defaultSenderEmail", "ada"],
  ["defaultSenderEmail", "Ada <ada@example.com>"],
  ["defaultSenderEmail", "ada@example.com, eve@example.com"],
  ["webhookRetryCount", -1],
  ["webhookRetryCount", 11],
  ["webhookRetryCount", "3"],
  ["apiKeyExpiryDays", -1],
  ["apiKeyExpiryDays", 3651],
  ["apiKeyExpiryDays", 1.5],
  ["bounceAutoSuppress", "true"],
  ["requireVerifiedDomain", null],
  ["trackOpens", 1],
  ["trackClicks", 1],
  ["trackingDetails", 1],
  ["trackingTrap", 1],
  ["dkimRotationDays", -1],
  ["dkimRotationDays", 3651],
  ["contentRetentionDays", -1],
  ["contentRetentionDays", 3651],
  ["workspaceId", 2],
])("refuse %s %o", async (field, value) => {
  const before = await get();
  await expect(update({ [field]: value })).rejects.toMatchObject({
    code: "validation_failed",
    details: [{ path: field, message: expect.any(String) }],
  });
  expect(await get()).toEqual(before);
});

test("contents are kept no longer than the plan keeps the log", async () => {
  const as = { as: await world.addUser({ admin: true }) };
  const plan = await world.posthorn.plans.create({ name: "Short", emailLogRetentionDays: 7 }, as);
  await world.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id }, as);
  await expect(update({ contentRetentionDays: 8 })).rejects.toMatchObject({
    code: "validation_failed",
    details: [{ path: "contentRetentionDays", message: expect.stringContaining("7 days") }],
  });
  for (const contentRetentionDays of [7, 3])
    expect(await update({ contentRetentionDays })).toMatchObject({ contentRetentionDays });
});

test("show a period that the plan shortened as it is in force, and take it as it is shown", async () => {
  const as = { as: await world.addUser({ admin: true }) };
  const plan = await world.posthorn.plans.create({ name: "Long", emailLogRetentionDays: 60 }, as);
  const keepLogFor = (emailLogRetentionDays: number) =>
    world.posthorn.plans.update({ planId: plan.id, emailLogRetentionDays }, as);
  await world.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id }, as);
  await update({ contentRetentionDays: 40 });
  await keepLogFor(30);
  const { timezone, contentRetentionDays } = await get();
  expect(contentRetentionDays).toBe(30);
  const change = { timezone, contentRetentionDays, trackOpens: true };
  expect(await update(change)).toMatchObject(change);
  const log = await world.posthorn.auditLog.listForWorkspace({ size: 1 }, workspace.asOwner);
  expect(log.items[0]?.metadata).toEqual({ changes: { track_opens: { from: false, to: true } } });
  await expect(update({ contentRetentionDays: 40 })).rejects.toMatchObject({ code: "validation_failed" });
  await keepLogFor(0);
  expect((await get()).contentRetentionDays).toBe(40);
});

test("refuse an empty change", async () => {
  await expect(update({})).rejects.toMatchObject({ code: "validation_failed" });
});

describe("access", () => {
  test.each(["admin", "editor", "viewer"] as const)(
    "all members read, owners and admins change: %s",
    async (role) => {
      const member = workspace.as(await workspace.addMember(role));
      await expect(world.posthorn.settings.get({}, member)).resolves.toBeDefined();
      const change = world.posthorn.settings.update({ timezone: "Asia/Tokyo" }, member);
      if (role === "admin") await expect(change).resolves.toMatchObject({ timezone: "Asia/Tokyo" });
      else await expect(change).rejects.toMatchObject({ code: "forbidden" });
    },
  );

  test("refuses members of other workspaces", async () => {
    const stranger = workspace.as(await world.addUser());
    await expect(world.posthorn.settings.get({}, stranger)).rejects.toMatchObject({ code: "not_a_member" });
  });
});
