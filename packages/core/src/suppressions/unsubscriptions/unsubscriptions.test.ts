import { expect, test } from "vitest";
import { openWorldForEach, workspace as shop, world } from "../../../test/world-for-each.ts";
import type { MailMessage } from "../../ports/mailer.ts";
import { createPosthorn } from "../../service/service.ts";
import { acceptAll, answerAll, createMemoryMailer } from "../../testing/memory-mailer.ts";
import { worldSecretKey as secretKey } from "../../testing/world.ts";

const newsletter = {
  name: "letter",
  subject: "News",
  html: '<a href="{{{unsubscribe_url}}}">stop</a> {{unsubscribe_url}}',
};

openWorldForEach({ secretKey, baseUrl: "https://mail.example.com/post/" });

const verbs = () => world.posthorn.workspace(shop.id);
const send = (over: object = {}) =>
  verbs().emails.send({
    subject: "News",
    text: "x",
    to: ["Ada <Ada+1@example.com>"],
    unsubscribe: { list: "news" },
    ...over,
  });
const headerOf = ({ headers }: MailMessage, wanted: string) =>
  headers.find(({ name }) => name === wanted)?.value;
/** Sends a mail of the list; returns the token of its unsubscribe link. */
async function sentToken(): Promise<string> {
  world.mailer.inbox.clear();
  await send();
  await world.posthorn.drain();
  const [mail] = world.mailer.inbox.all();
  const field = mail === undefined ? "" : (headerOf(mail, "List-Unsubscribe") ?? "");
  return /\/u\/([^>]+)>$/.exec(field)?.[1] ?? "";
}
const eventsOf = async (type: string) =>
  (await world.storage.events.list({ type, workspaceId: shop.id }, { offset: 0, limit: 100 })).items.map(
    ({ metadata }) => JSON.parse(metadata) as Record<string, unknown>,
  );

test("e-mails of a list have both headers of RFC 8058, with a link below the base URL's prefix, and others have neither", async () => {
  await send();
  await verbs().emails.send({ subject: "Receipt", text: "x", to: ["bob@example.com"] });
  await world.posthorn.drain();
  const [news, receipt] = world.mailer.inbox.all();
  if (news === undefined || receipt === undefined) throw new Error("two mails were sent");
  const url = headerOf(news, "List-Unsubscribe") ?? "";
  expect(url).toMatch(/^<https:\/\/mail\.example\.com\/post\/u\/v1\.[\w-]+>$/);
  expect(headerOf(news, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
  expect(url.slice(url.lastIndexOf("/") + 1, -1).length).toBeLessThanOrEqual(200);
  expect(headerOf(receipt, "List-Unsubscribe")).toBeUndefined();
});

test("{{unsubscribe_url}} is the same at every attempt, and missing without a list", async () => {
  await world.posthorn.templates.create(newsletter, shop.asOwner);
  const mail = { template: "letter", to: ["ada@example.com"] };
  await expect(verbs().emails.sendTemplate(mail)).rejects.toMatchObject({
    code: "template_data_missing",
    details: { missing: ["unsubscribe_url"] },
  });
  const tried: MailMessage[] = [];
  world.mailer.answerWith((message) => {
    tried.push(message);
    const outcome = tried.length === 1 ? "deferred" : "accepted";
    return {
      recipients: message.envelope.to.map((address) => ({ address, outcome, code: 451, reply: "later" })),
      inDoubt: false,
    };
  });
  await verbs().emails.sendTemplate({ ...mail, unsubscribe: { list: "news" } });
  await world.posthorn.drain();
  world.clock.advance(3_600_000);
  await world.posthorn.drain();
  const [first, second] = tried;
  if (first === undefined || second === undefined) throw new Error("it was tried twice");
  const url = (headerOf(first, "List-Unsubscribe") ?? "").slice(1, -1);
  expect(first.html).toBe(`<a href="${url}">stop</a> ${url}`);
  expect([second.html, second.text, headerOf(second, "List-Unsubscribe")]).toEqual([
    first.html,
    first.text,
    `<${url}>`,
  ]);
});

test("a list needs a single recipient, and conflicting headers are refused", async () => {
  const refused = (over: object, path: string) =>
    expect(send(over)).rejects.toMatchObject({ code: "validation_failed", details: [{ path }] });
  await refused({ to: ["a@example.com", "b@example.com"] }, "unsubscribe");
  await refused({ bcc: ["b@example.com"] }, "unsubscribe");
  await refused({ headers: { "list-unsubscribe": "<https://a.example>" } }, "headers.list-unsubscribe");
  await refused({ headers: { "List-Unsubscribe-Post": "x" } }, "headers.List-Unsubscribe-Post");
  await refused({ unsubscribe: { list: "Big News" } }, "unsubscribe.list");
  await expect(
    verbs().emails.sendTemplate({
      template: "letter",
      to: ["a@example.com"],
      templateData: { unsubscribe_url: "https://elsewhere.example" },
      unsubscribe: { list: "news" },
    }),
  ).rejects.toMatchObject({ details: [{ path: "templateData.unsubscribe_url" }] });
});

test("unsubscribing applies to that list only, with one event, also for webhooks", async () => {
  await world.posthorn.webhooks.create(
    { url: "https://hooks.example.com/", events: ["email.unsubscribed"] },
    shop.asOwner,
  );
  const token = await sentToken();
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => world.posthorn.unsubscriptions.create({ token })),
  );
  expect(new Set(answers.map(({ isSubscribed }) => isSubscribed))).toEqual(new Set([false]));
  const [{ id } = { id: "" }] = (await verbs().emails.list()).items;
  const about = { recipient: "Ada+1@example.com", list: "news" };
  expect(await eventsOf("email.unsubscribed")).toEqual([{ email_id: id, ...about }]);
  expect(await eventsOf("suppression.created")).toHaveLength(1);
  expect((await verbs().suppressions.list()).items).toMatchObject([
    { email: "Ada+1@example.com", scope: "news", origin: "unsubscribe", emailId: id },
  ]);
  await world.posthorn.drain();
  expect(world.http.posts.map(({ body }) => JSON.parse(String(body)))).toMatchObject([
    { event: "email.unsubscribed", email_id: id, data: { subject: "News", ...about } },
  ]);
  await expect(send({ to: ["ada+1@EXAMPLE.com"] })).rejects.toMatchObject({
    code: "all_recipients_suppressed",
  });
  await send({ unsubscribe: { list: "offers" } });
  await verbs().emails.send({ subject: "Receipt", text: "x", to: ["ada+1@example.com"] });
});

test("e-mails queued for a list are not sent after their recipient unsubscribes", async () => {
  const token = await sentToken();
  const { id } = await send({ scheduledAt: new Date(world.clock.now() + 3_600_000).toISOString() });
  await world.posthorn.unsubscriptions.create({ token });
  world.mailer.inbox.clear();
  world.clock.advance(3_600_000);
  await world.posthorn.drain();
  expect(world.mailer.inbox.all()).toEqual([]);
  expect((await verbs().emails.get({ emailId: id })).status).toBe("suppressed");
});

test("the link reverts it for ten minutes only", async () => {
  const { unsubscriptions } = world.posthorn;
  const token = await sentToken();
  await unsubscriptions.create({ token });
  expect(await unsubscriptions.get({ token })).toMatchObject({ isSubscribed: false, canUndo: true });
  expect(await unsubscriptions.undo({ token })).toMatchObject({ isSubscribed: true });
  expect((await verbs().suppressions.list()).total).toBe(0);
  expect(await eventsOf("suppression.deleted")).toHaveLength(1);
  await unsubscriptions.create({ token });
  world.clock.advance(10 * 60_000);
  expect(await unsubscriptions.undo({ token })).toMatchObject({ isSubscribed: false, canUndo: false });
  // The link must not undo a suppression that somebody else created.
  await verbs().suppressions.delete({ email: "ada+1@example.com", scope: "news" });
  await verbs().suppressions.create({ email: "ada+1@example.com", scope: "news" });
  expect(await unsubscriptions.undo({ token })).toMatchObject({ isSubscribed: false });
});

test("undoing it puts back a temporary suppression that it replaced, unless that has ended", async () => {
  const { unsubscriptions } = world.posthorn;
  const entry = { email: "ada+1@example.com", scope: "news" };
  const token = await sentToken();
  const end = world.clock.now() + 5 * 60_000;
  await verbs().suppressions.create({ ...entry, reason: "on leave", expiresAt: new Date(end).toISOString() });
  await unsubscriptions.create({ token });
  expect(await unsubscriptions.undo({ token })).toMatchObject({ isSubscribed: false, canUndo: false });
  expect(await verbs().suppressions.get(entry)).toMatchObject({
    ...{ origin: "manual", reason: "on leave", expiresAt: end },
  });
  const [undone] = await eventsOf("suppression.updated");
  expect(undone).toMatchObject({ scope: "news", changes: { origin: { from: "unsubscribe", to: "manual" } } });
  expect(await eventsOf("suppression.deleted")).toEqual([]);
  await unsubscriptions.create({ token });
  world.clock.advance(5 * 60_000);
  expect(await unsubscriptions.undo({ token })).toMatchObject({ isSubscribed: true });
  expect((await verbs().suppressions.list()).total).toBe(0);
});

test("a link works after its e-mail is removed, but not after its workspace is", async () => {
  const token = await sentToken();
  await world.storage.emails.deleteBefore(shop.id, world.clock.now() + 1, 10);
  expect(await world.posthorn.unsubscriptions.create({ token })).toMatchObject({ isSubscribed: false });
  expect(await eventsOf("email.unsubscribed")).toHaveLength(1);
  await world.storage.workspaces.delete(shop.id);
  await expect(world.posthorn.unsubscriptions.create({ token })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a token with any changed bit is refused", async () => {
  const token = await sentToken();
  for (const at of [0, 4, 20, Math.floor(token.length / 2), token.length - 3]) {
    const changed = `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
    await expect(world.posthorn.unsubscriptions.create({ token: changed })).rejects.toMatchObject({
      code: "not_found",
    });
  }
  expect((await verbs().suppressions.list()).total).toBe(0);
});

test("a link works after the secret key is replaced, if the former one is configured", async () => {
  const token = await sentToken();
  const open = (formerSecretKeys: string[]) =>
    createPosthorn({
      storage: world.storage,
      mailer: createMemoryMailer(),
      secretKey: "another secret key, that also only tests ever use",
      formerSecretKeys,
    });
  await using without = open([]);
  await expect(without.unsubscriptions.get({ token })).rejects.toMatchObject({ code: "not_found" });
  await using knowing = open([secretKey]);
  expect(await knowing.unsubscriptions.get({ token })).toMatchObject({ list: "news", isSubscribed: true });
  expect(() => open(["short"])).toThrow(/formerSecretKeys/);
});

test.each([
  ["is in the log", false],
  ["was removed from the log, and whom a suppression under the hash remembers", true],
])(
  "an erased recipient whose e-mail %s unsubscribes, and can undo that, without a trace of the address",
  async (_, isRemoved) => {
    const email = "Ada+1@example.com";
    const token = await sentToken();
    await verbs().suppressions.create({ email, scope: "other" });
    if (isRemoved) await verbs().suppressions.create({ email, scope: "*", reason: "asked" });
    await world.posthorn.recipients.erase({ email }, shop.asOwner);
    await world.posthorn.drain();
    if (isRemoved) await world.storage.emails.deleteBefore(shop.id, world.clock.now() + 1, 10);

    const { unsubscriptions } = world.posthorn;
    expect(await unsubscriptions.create({ token })).toMatchObject({ isSubscribed: false });
    expect(await unsubscriptions.create({ token })).toMatchObject({ canUndo: true });
    expect(await unsubscriptions.get({ token })).toMatchObject({ isSubscribed: false });
    await expect(send()).rejects.toMatchObject({ code: "all_recipients_suppressed" });
    const known = async () =>
      JSON.stringify([
        (await verbs().suppressions.list()).items,
        (await world.storage.events.list({ workspaceId: shop.id }, { offset: 0, limit: 100 })).items,
      ]);
    expect(await eventsOf("email.unsubscribed")).toMatchObject([
      { recipient: expect.stringMatching(/^erased-/), list: "news" },
    ]);
    expect(await known()).not.toMatch(/ada\+1/i);

    expect(await unsubscriptions.undo({ token })).toMatchObject({ isSubscribed: true });
    expect(await unsubscriptions.get({ token })).toMatchObject({ isSubscribed: true });
    expect(await known()).not.toMatch(/ada\+1/i);
  },
);

test("a campaign counts a recipient who unsubscribes again once, after undoing it or having it removed, and until then not", async () => {
  const { id: campaignId } = await verbs().campaigns.create({
    name: "Spring",
    subject: "News",
    text: "x",
    unsubscribe: { list: "news" },
    recipients: [{ to: "ada@example.com" }, { to: "gone@example.com" }],
  });
  const refuse = answerAll("refused", 550, "550 5.1.1 no such user");
  world.mailer.answerWith((message) =>
    (message.envelope.to.includes("gone@example.com") ? refuse : acceptAll)(message),
  );
  await verbs().campaigns.start({ campaignId });
  await world.posthorn.drain();
  const mail = world.mailer.inbox.find({ to: "ada@example.com" });
  const field = mail && headerOf(mail, "List-Unsubscribe");
  const link = { token: /\/u\/([^>]+)>$/.exec(field ?? "")?.[1] ?? "" };
  const counted = async () => (await verbs().campaigns.get({ campaignId })).counts.unsubscribed;
  const { create, undo } = world.posthorn.unsubscriptions;
  await create(link);
  expect(await counted()).toBe(1);
  await undo(link);
  await undo(link);
  expect(await counted()).toBe(0);
  await create(link);
  expect(await counted()).toBe(1);
  await verbs().suppressions.delete({ email: "ada@example.com", scope: "news" });
  expect(await counted()).toBe(0);
  await create(link);
  expect(await counted()).toBe(1);
  // This one did not unsubscribe.
  await verbs().suppressions.delete({ email: "gone@example.com" });
  expect(await counted()).toBe(1);
});
