import { describe, expect, test } from "vitest";
import {
  eventsOf,
  get,
  HOUR,
  make,
  openCampaignWorldForEach,
  own,
  people,
  SECOND,
  shop,
  subjects,
  world,
} from "../../../test/campaign-world.ts";

openCampaignWorldForEach();

describe("a campaign", () => {
  test("goes from a draft to each recipient once, and is completed once", async () => {
    await world.posthorn.webhooks.create(
      { url: "https://hooks.example.com/", events: ["campaign.started", "campaign.completed"] },
      shop.asOwner,
    );
    const spring = await make(3);
    await own().addRecipients({ ...spring, recipients: [{ to: "PERSON0@example.com" }, ...people(1, 3)] });
    expect(await get(spring)).toMatchObject({ status: "draft", recipients: 4, counts: { pending: 4 } });
    expect((await own().start(spring)).status).toBe("running");
    await world.posthorn.drain();
    expect(subjects().sort()).toEqual([0, 1, 2, 3].map((n) => `For Person ${n}`));
    expect(await get(spring)).toMatchObject({
      status: "completed",
      counts: { pending: 0, queued: 4, sent: 4, failed: 0, skipped: 0, cancelled: 0 },
    });
    await world.posthorn.drain();
    expect(await eventsOf("campaign.completed")).toHaveLength(1);
    expect(world.http.posts.map(({ body }) => JSON.parse(String(body)).event)).toEqual([
      "campaign.started",
      "campaign.completed",
    ]);
    const { items } = await own().listRecipients({ ...spring, q: "person3" });
    expect(await own().listRecipients({ ...spring, q: " " })).toMatchObject({ total: 4 });
    expect(await own().list({ q: "" })).toMatchObject({ total: 1 });
    const mail = await world.posthorn.workspace(shop.id).emails.get({ emailId: items[0]?.emailId ?? "" });
    expect(mail).toMatchObject({ status: "sent", campaignId: spring.campaignId, priority: "low" });
  });

  test("is started by one of two concurrent calls, and by none while its list is empty", async () => {
    const empty = await make(0);
    await expect(own().start(empty)).rejects.toMatchObject({ code: "campaign_empty" });
    const spring = await make(1);
    const tries = await Promise.allSettled([own().start(spring), own().start(spring)]);
    expect(tries.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(tries.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "campaign_state_conflict", details: { status: "running" } },
    });
  });

  test("uses the template's content at the time of its start", async () => {
    const as = shop.asOwner;
    const template = await world.posthorn.templates.create({ name: "news", subject: "Old", text: "x" }, as);
    const { id } = await own().create({ name: "T", template: "news", recipients: people(1) });
    await own().start({ campaignId: id });
    const version = await world.posthorn.templateVersions.create(
      { templateId: template.id, subject: "New", text: "x" },
      as,
    );
    await world.posthorn.templateVersions.activate({ templateId: template.id, versionId: version.id }, as);
    await world.posthorn.drain();
    expect(subjects()).toEqual(["Old"]);
  });

  test("can be changed and deleted as a draft only", async () => {
    const spring = await make(1);
    const update = () => own().update({ ...spring, name: "Summer", text: "Anew" });
    expect(await update()).toMatchObject({ name: "Summer", recipients: 1 });
    await own().start(spring);
    await expect(update()).rejects.toMatchObject({ code: "campaign_not_editable" });
    await expect(own().delete(spring)).rejects.toMatchObject({ code: "campaign_not_editable" });
    await expect(own().addRecipients({ ...spring, recipients: people(1, 9) })).rejects.toMatchObject({
      code: "campaign_not_editable",
    });
    const draft = await make(1);
    await own().delete(draft);
    await expect(get(draft)).rejects.toMatchObject({ code: "not_found" });
  });

  test("with a long list is deleted piece by piece, also after an interruption, and can't be started meanwhile", async () => {
    const spring = await make(5_001);
    const { campaigns } = world.storage;
    const remove = campaigns.removeRecipients;
    const interrupted = async () => {
      campaigns.removeRecipients = remove;
      throw new Error("killed");
    };
    campaigns.removeRecipients = interrupted;
    await expect(own().delete(spring)).rejects.toThrow("killed");
    await expect(own().start(spring)).rejects.toMatchObject({ code: "campaign_state_conflict" });
    await own().delete(spring);
    await expect(get(spring)).rejects.toMatchObject({ code: "not_found" });
    expect((await eventsOf("campaign.deleted")).length).toBe(1);
  });

  test("can be changed while scheduled: its template's content and its time are read again", async () => {
    const as = shop.asOwner;
    const template = await world.posthorn.templates.create({ name: "news", subject: "Old", text: "x" }, as);
    const at = (ms: number) => new Date(world.clock.now() + ms).toISOString();
    const news = { name: "News", template: "news" };
    const { id: campaignId } = await own().create({ ...news, recipients: people(1), scheduledAt: at(HOUR) });
    await own().start({ campaignId });
    const fields = { templateId: template.id, subject: "New", text: "x" };
    const version = await world.posthorn.templateVersions.create(fields, as);
    await world.posthorn.templateVersions.activate({ templateId: template.id, versionId: version.id }, as);
    const later = { ...news, campaignId, scheduledAt: at(2 * HOUR), pace: { perSecond: 1 } };
    expect(await own().update(later)).toMatchObject({
      status: "scheduled",
      scheduledAt: world.clock.now() + 2 * HOUR,
      templateVersionId: version.id,
    });
    await expect(own().update({ ...news, campaignId })).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: "scheduledAt", message: expect.stringContaining("must be in the future") }],
    });
    world.clock.advance(HOUR + SECOND);
    await world.posthorn.drain();
    expect(subjects()).toEqual([]);
    const text = { name: "News", campaignId, subject: "Own for {{name}}", text: "y", scheduledAt: at(HOUR) };
    expect(await own().update(text)).toMatchObject({ template: undefined, pace: { perSecond: undefined } });
    world.clock.advance(HOUR);
    await world.posthorn.drain();
    expect(subjects()).toEqual(["Own for Person 0"]);
    await expect(own().update(text)).rejects.toMatchObject({ code: "campaign_not_editable" });
  });

  test("takes recipients as long as it has not begun, also while it is scheduled", async () => {
    const scheduledAt = new Date(world.clock.now() + HOUR).toISOString();
    const spring = await make(1, { scheduledAt });
    await own().start(spring);
    expect(await own().addRecipients({ ...spring, recipients: people(1, 1) })).toMatchObject({ added: 1 });
    world.clock.advance(HOUR);
    await world.posthorn.drain();
    expect(subjects().sort()).toEqual(["For Person 0", "For Person 1"]);
    await expect(own().addRecipients({ ...spring, recipients: people(1, 2) })).rejects.toMatchObject({
      code: "campaign_not_editable",
      details: { status: "completed" },
    });
  });

  test("is not found from another workspace", async () => {
    const spring = await make(1);
    const other = await world.addWorkspace();
    const theirs = world.posthorn.workspace(other.id).campaigns;
    await expect(theirs.get(spring)).rejects.toMatchObject({ code: "not_found" });
    await expect(theirs.start(spring)).rejects.toMatchObject({ code: "not_found" });
    await expect(theirs.listRecipients(spring)).rejects.toMatchObject({ code: "not_found" });
  });

  test("requires content, and a sender that may send", async () => {
    await expect(own().create({ name: "No content" })).rejects.toMatchObject({ code: "validation_failed" });
    await expect(own().create({ name: "Both", template: "news", text: "x" })).rejects.toMatchObject({
      code: "validation_failed",
    });
    const spring = await make(1);
    await world.storage.workspaces.update(shop.id, { isTrusted: false, updatedAt: 0 });
    await expect(own().start(spring)).rejects.toMatchObject({ code: "workspace_not_trusted" });
  });
});

describe("recipients who get nothing", () => {
  test("are those suppressed and those without a value; the others get theirs", async () => {
    const spring = await make(2, { recipients: [...people(2), { to: "empty@example.com" }] });
    await world.posthorn.workspace(shop.id).suppressions.create({ email: "person1@example.com" });
    const check = await own().check(spring);
    expect(check).toMatchObject({
      recipients: 3,
      suppressed: 1,
      missing: [{ name: "name", count: 1, examples: ["empty@example.com"] }],
      reasons: [],
    });
    await own().start(spring);
    await world.posthorn.drain();
    expect(subjects()).toEqual(["For Person 0"]);
    const { items } = await own().listRecipients(spring);
    expect(items.map(({ state, reason, emailStatus }) => [state, reason, emailStatus])).toEqual([
      ["settled", "", "sent"],
      ["skipped", "recipient_suppressed", undefined],
      ["skipped", "template_data_missing", undefined],
    ]);
    expect(await get(spring)).toMatchObject({
      status: "completed",
      counts: { pending: 0, queued: 1, sent: 1, skipped: 2, suppressed: 1 },
    });
  });

  test("are all after the first one without a value, if configured to stop there", async () => {
    const spring = await make(0, {
      recipients: [...people(1), { to: "empty@example.com" }, ...people(1, 1)],
      onMissing: "stop",
    });
    await own().start(spring);
    await world.posthorn.drain();
    expect(subjects()).toEqual(["For Person 0"]);
    expect(await get(spring)).toMatchObject({ status: "paused", pausedReason: "template_data_missing" });
  });

  test("are those who unsubscribe from the campaign's list while their e-mail waits, but not from another", async () => {
    const spring = await make(3, { pace: { perSecond: 0.01 }, unsubscribe: { list: "news" } });
    await own().start(spring);
    await world.posthorn.drain();
    const { suppressions } = world.posthorn.workspace(shop.id);
    await suppressions.create({ email: "person1@example.com", scope: "news" });
    await suppressions.create({ email: "person2@example.com", scope: "other" });
    for (let round = 0; round < 4; round += 1) {
      world.clock.advance(110 * SECOND);
      await world.posthorn.drain();
    }
    expect(subjects()).toEqual(["For Person 0", "For Person 2"]);
    expect(await get(spring)).toMatchObject({ status: "completed", counts: { sent: 2, suppressed: 1 } });
  });

  test.each([
    ["was queued a moment ago", 1, 1.1],
    ["waits", 0.01, 110],
  ])("are those whose address is suppressed while their e-mail %s", async (_, perSecond, seconds) => {
    const spring = await make(2, { pace: { perSecond } });
    await own().start(spring);
    await world.posthorn.drain();
    expect(subjects()).toEqual(["For Person 0"]);
    await world.posthorn.workspace(shop.id).suppressions.create({ email: "person1@example.com" });
    world.clock.advance(seconds * SECOND);
    await world.posthorn.drain();
    world.clock.advance(seconds * SECOND);
    await world.posthorn.drain();
    expect(subjects()).toEqual(["For Person 0"]);
    expect(await get(spring)).toMatchObject({ status: "completed", counts: { sent: 1, suppressed: 1 } });
  });
});

describe("time", () => {
  test("starts at its time, and not automatically if that is long past", async () => {
    const at = (ms: number) => new Date(world.clock.now() + ms).toISOString();
    const spring = await make(1, { scheduledAt: at(HOUR) });
    expect((await own().start(spring)).status).toBe("scheduled");
    await world.posthorn.drain();
    expect(subjects()).toEqual([]);
    world.clock.advance(HOUR);
    await world.posthorn.drain();
    expect((await get(spring)).status).toBe("completed");
    const late = await make(1, { scheduledAt: at(HOUR) });
    await own().start(late);
    world.clock.advance(26 * HOUR);
    await world.posthorn.drain();
    expect(await get(late)).toMatchObject({ status: "paused", pausedReason: "missed_schedule" });
    expect(subjects()).toHaveLength(1);
    await own().resume(late);
    await world.posthorn.drain();
    expect((await get(late)).status).toBe("completed");
  });

  test("waits for the next quota window, and refuses nobody", async () => {
    const plan = await world.posthorn.plans.create({ name: "Small", hourlyRateLimit: 100 });
    await world.posthorn.plans.assignToWorkspace({ workspaceId: shop.id, planId: plan.id });
    const spring = await make(250);
    await own().start(spring);
    const rounds: number[] = [];
    const waits: boolean[] = [];
    for (let round = 0; round < 3; round += 1) {
      await world.posthorn.drain();
      rounds.push(subjects().length);
      const nextHour = (Math.floor(world.clock.now() / HOUR) + 1) * HOUR;
      waits.push((await get(spring)).limitedUntil === nextHour);
      world.clock.advance(HOUR);
    }
    expect(rounds).toEqual([100, 200, 250]);
    expect(waits).toEqual([true, true, false]);
    expect(await get(spring)).toMatchObject({ status: "completed", counts: { sent: 250, skipped: 0 } });
  });

  test("stops when its workspace is deleted, and does not affect others", async () => {
    const spring = await make(20, { pace: { perSecond: 1 } });
    await own().start(spring);
    await world.posthorn.drain();
    await world.posthorn.workspaces.delete({ name: "Shop" }, shop.asOwner);
    world.clock.advance(60 * SECOND);
    await world.posthorn.drain();
    const other = await world.addWorkspace();
    const theirs = world.posthorn.workspace(other.id).campaigns;
    const { id } = await theirs.create({ name: "T", text: "x", subject: "Theirs", recipients: people(1) });
    await theirs.start({ campaignId: id });
    await world.posthorn.drain();
    expect(subjects()).toContain("Theirs");
  });
});

test("a test is sent to one address with the first recipient's values, is marked, and not counted", async () => {
  const spring = await make(2);
  await own().test({ ...spring, to: "boss@example.com" });
  await world.posthorn.drain();
  expect(subjects()).toEqual(["[Test] For Person 0"]);
  expect(await get(spring)).toMatchObject({ status: "draft", counts: { queued: 0, sent: 0 } });
});
