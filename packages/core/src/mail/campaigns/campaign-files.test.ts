import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld, type TestWorkspace, type World } from "../../testing/world.ts";
import { readAttachment } from "../attachments/attachment-content.ts";

const hour = 3_600_000;
const mebibyte = 1024 * 1024;

let world: World;
let shop: TestWorkspace;
beforeEach(async () => {
  world = await createWorld(await openTestSqlite());
  shop = await world.addWorkspace({ name: "Shop" });
});
afterEach(() => world.close());

const own = () => world.posthorn.workspace(shop.id);
const people = (count: number) => Array.from({ length: count }, (_, n) => ({ to: `person${n}@example.com` }));
const says = { name: "Terms", subject: "New terms", html: '<img src="cid:logo">' };
const logo = { filename: "logo.png", content: new TextEncoder().encode("png"), contentId: "logo" };
const upload = (content = "%PDF") =>
  own().attachments.upload({ filename: "terms.pdf", content: Buffer.from(content) });

/** Returns names and texts of the files of each delivered message. */
const delivered = () =>
  Promise.all(
    world.mailer.inbox
      .all()
      .map(({ attachments }) =>
        Promise.all(attachments.map(async (file) => `${file.filename}: ${await readAttachment(file)}`)),
      ),
  );

async function onPlan(maxAttachmentSizeMb: number): Promise<void> {
  const as = { as: await world.addUser({ admin: true }) };
  const plan = await world.posthorn.plans.create(
    { name: `Plan ${maxAttachmentSizeMb}`, maxAttachmentSizeMb },
    as,
  );
  await world.posthorn.plans.assignToWorkspace({ workspaceId: shop.id, planId: plan.id }, as);
}

test("each e-mail of a campaign has its files, which are stored once, and so has its test", async () => {
  const { campaigns, emails } = own();
  const terms = await upload();
  const made = await campaigns.create({
    ...says,
    recipients: people(3),
    attachments: [logo, terms].map(asked),
  });
  expect(made.attachments.map(({ position, filename, size }) => [position, filename, size])).toEqual([
    [0, "logo.png", 3],
    [1, "terms.pdf", 4],
  ]);
  expect((await campaigns.list()).items[0]?.attachments).toHaveLength(2);
  const tested = await campaigns.test({ campaignId: made.id, to: "boss@example.com" });
  expect(tested).toMatchObject({ template: undefined, templateVersionId: undefined });
  expect(tested.attachments).toEqual(made.attachments);
  await campaigns.start({ campaignId: made.id });
  await world.posthorn.drain();
  expect(await delivered()).toEqual(Array.from({ length: 4 }, () => ["logo.png: png", "terms.pdf: %PDF"]));
  const { items } = await emails.list();
  const kept = await Promise.all(
    items.map(({ id }) => world.storage.emails.find(shop.id, id, world.clock.now())),
  );
  expect(new Set(kept.map((email) => email?.attachmentSetId)).size).toBe(1);
});

test("files outlive their upload until the campaign is deleted", async () => {
  const { campaigns, attachments } = own();
  const { id: attachmentId } = await upload();
  const made = await campaigns.create({
    ...says,
    recipients: people(1),
    attachments: [{ id: attachmentId }],
  });
  await attachments.delete({ attachmentId });
  const prune = async () => {
    world.clock.advance(3 * hour);
    for (let done = 1; done > 0; ) done = await world.storage.attachments.deleteUnused(world.clock.now(), 9);
    return (await campaigns.list()).items.map((campaign) => campaign.attachments.length);
  };
  expect([await prune(), await prune()]).toEqual([[1], [1]]);
  const set = await world.storage.campaigns.find(shop.id, made.id);
  await campaigns.delete({ campaignId: made.id });
  await prune();
  const items = await world.storage.attachments.listItems([set?.attachmentSetId ?? 0]);
  expect([...items.values()]).toEqual([[]]);
});

test("nothing is stored for a campaign whose template is missing", async () => {
  const { campaigns } = own();
  const { id: campaignId } = await campaigns.create({ ...says, recipients: people(1) });
  const refused = { name: "Terms", template: "nowhere", attachments: [logo] };
  const refusal = { code: "not_found" };
  await expect(campaigns.create(refused)).rejects.toMatchObject(refusal);
  await expect(campaigns.update({ ...refused, campaignId })).rejects.toMatchObject(refusal);
  world.clock.advance(3 * hour);
  expect(await world.storage.attachments.deleteUnused(world.clock.now(), 9)).toBe(0);
});

test("a change keeps files and content that it does not name, and replaces the others", async () => {
  const { campaigns } = own();
  const { id: campaignId } = await campaigns.create({ ...says, recipients: people(1), attachments: [logo] });
  const names = async (change: Parameters<typeof campaigns.update>[0]) =>
    (await campaigns.update(change)).attachments.map(({ filename }) => filename);
  expect(await names({ campaignId, name: "Renamed" })).toEqual(["logo.png"]);
  expect(await names({ campaignId, name: "x", attachments: [{ ...logo, filename: "new.png" }] })).toEqual([
    "new.png",
  ]);
  const scheduledAt = new Date(world.clock.now() + hour).toISOString();
  await campaigns.update({ campaignId, name: "x", scheduledAt });
  await campaigns.start({ campaignId });
  expect(await names({ campaignId, name: "Later", scheduledAt })).toEqual(["new.png"]);
  expect(await names({ campaignId, name: "Later", scheduledAt, attachments: [] })).toEqual([]);
  expect(await names({ campaignId, name: "Later", scheduledAt, attachments: [logo] })).toEqual(["logo.png"]);
  // A content without html can't show an inline image, neither a stored one nor one within the request.
  const plain = { campaignId, name: "Later", scheduledAt, subject: "x", text: "x" };
  for (const change of [plain, { ...plain, attachments: [logo] }])
    await expect(campaigns.update(change)).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: "attachments.0.contentId", message: "needs html that refers to it" }],
    });
  world.clock.advance(hour);
  await world.posthorn.drain();
  expect(await delivered()).toEqual([["logo.png: png"]]);
  expect(world.mailer.inbox.all()[0]?.subject).toBe("New terms");
  await expect(campaigns.update({ campaignId, name: "x", attachments: [] })).rejects.toMatchObject({
    code: "campaign_not_editable",
  });
});

test("files must fit the plan's limit and the server's when they are set, and again at the start", async () => {
  const { campaigns } = own();
  const { id } = await upload("x".repeat(2 * mebibyte));
  const given = { ...says, recipients: people(2), attachments: [{ id }] };
  const { id: campaignId } = await campaigns.create(given);
  await onPlan(1);
  const refusal = {
    code: "attachment_too_large",
    details: { limit: "max_attachment_size_mb", value: 1, filename: "terms.pdf", size: 2 * mebibyte },
  };
  await expect(campaigns.create(given)).rejects.toMatchObject(refusal);
  await expect(campaigns.start({ campaignId })).rejects.toMatchObject(refusal);
  await expect(campaigns.test({ campaignId, to: "boss@example.com" })).rejects.toMatchObject(refusal);
  expect(await campaigns.check({ campaignId })).toMatchObject({
    reasons: [{ code: "attachment_too_large", count: 2 }],
    size: 2 * mebibyte + Buffer.byteLength(says.html) + Buffer.byteLength(says.subject),
  });
  await onPlan(0);
  const large = { filename: "large", content: Buffer.alloc(9 * mebibyte) };
  const three = [1, 2, 3].map((n) => upload(String(n).repeat(9 * mebibyte)));
  const tooMuch = (await Promise.all(three)).map(asked);
  await expect(campaigns.create({ ...says, attachments: tooMuch })).rejects.toMatchObject({
    code: "message_too_large",
  });
  await expect(campaigns.create({ ...says, attachments: [large, large] })).rejects.toMatchObject({
    code: "attachment_too_large",
    details: { limit: "inline_mb" },
  });
  await expect(campaigns.create({ ...says, attachments: [{ id: missing }] })).rejects.toMatchObject({
    code: "attachment_not_found",
  });
});

test("a check warns about files, and lists omitted recipients", async () => {
  const { campaigns } = own();
  const attachments = [
    { ...logo, contentId: "other" },
    { filename: "setup.exe", content: Buffer.from("MZ") },
  ];
  const { id: campaignId } = await campaigns.create({ ...says, recipients: people(2), attachments });
  const content = Buffer.from("email\nperson0@example.com\nnobody\nalso nobody\n");
  await campaigns.importRecipients({ campaignId, content });
  const { warnings, invalid, duplicates } = await campaigns.check({ campaignId });
  expect(warnings.map(({ code }) => code)).toEqual([
    "cid_unknown",
    "cid_unused",
    "extension_refused_by_gmail",
  ]);
  expect({ invalid, duplicates }).toEqual({ invalid: 2, duplicates: 1 });
});

const missing = "01890000-0000-7000-8000-000000000000";
const asked = <T extends { id: string } | typeof logo>(file: T) => ("id" in file ? { id: file.id } : file);
