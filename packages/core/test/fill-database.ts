import { generateSync } from "otplib";
import { answerAll, type TestWorkspace, type World } from "../src/testing/index.ts";
import { about } from "./returned-mail.ts";

const password = "a long and odd passphrase";
const html =
  '<p>Hi {{name}} <a href="https://shop.example/1">one</a> <a href="https://shop.example/2">two</a></p>';

/** What is left of a database's use: a delivered e-mail that can be opened, unsubscribed from and reported. */
export interface Used {
  workspaceId: number;
  owner: number;
  key: string;
  emailId: string;
  /** The tokens that it carries. */
  mail: { image: string; link: string; unsubscribe: string; ref: string };
}

/** A reader's request. */
export const visit = {
  ip: "192.0.2.7",
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
  isPrefetch: false,
};

/** Uses everything that leaves rows behind. */
export async function fillDatabase(world: World): Promise<Used> {
  const shop = await world.addWorkspace({ name: "Shop" });
  await useAccounts(world);
  const key = await useWorkspace(world, shop);
  await useDomains(world, shop);
  const sent = await useMail(world, shop);
  await useFailures(world, shop);
  await useCampaign(world, shop);
  await leaveWaiting(world, shop);
  return { workspaceId: shop.id, owner: shop.owner.userId, key, ...sent };
}

/** Accounts with sessions, a second factor, tokens by mail, and wrong passwords. */
async function useAccounts({ posthorn, clock, mailer }: World): Promise<void> {
  const admin = await posthorn.users.create({ name: "Zoë", email: "Zoe@example.com", password });
  const as = await posthorn.findUser(admin.id);
  const login = await posthorn.accounts.login({ email: "zoe@example.com", password });
  const caller = await posthorn.authenticateUser(login.token);
  if (as === undefined || caller === undefined) throw new Error("the user is gone");
  const { secret } = await posthorn.twoFactor.setup({}, { as: caller });
  const code = generateSync({ secret, epoch: Math.floor(clock.now() / 1_000) });
  await posthorn.twoFactor.verify({ code }, { as: caller });
  await posthorn.accounts.login({ email: "zoe@example.com", password: "wrong" }).catch(() => undefined);
  await posthorn.accounts.forgotPassword({ email: "zoe@example.com" });
  await posthorn.drain();
  mailer.inbox.clear();
}

/** A workspace with limits, members, keys, templates, webhooks, servers, reports by providers; returns an API key. */
async function useWorkspace({ posthorn, addUser }: World, shop: TestWorkspace): Promise<string> {
  const as = { as: await addUser({ admin: true }) };
  const limits = { hourlyRateLimit: 1_000, dailyRateLimit: 5_000, emailLogRetentionDays: 90 };
  const plan = await posthorn.plans.create({ name: "Big", ...limits }, as);
  await posthorn.plans.assignToWorkspace({ workspaceId: shop.id, planId: plan.id }, as);
  await shop.addMember("editor");
  await posthorn.invitations.create({ email: "new@example.com", role: "viewer" }, shop.asOwner);
  await posthorn.stylesheets.create({ name: "brand", css: "p { color: red }" }, shop.asOwner);
  await posthorn.settings.update(
    { trackOpens: true, trackClicks: true, trackingDetails: true },
    shop.asOwner,
  );
  const template = { name: "hello", subject: "Hi {{name}}", html };
  await posthorn.templates.create(template, shop.asOwner);
  const { id: templateId } = await posthorn.templates.create(
    { name: "old", subject: "Old", text: "Old" },
    shop.asOwner,
  );
  await posthorn.templates.delete({ templateId }, shop.asOwner);
  await posthorn.webhooks.create({ url: "https://hooks.example/", events: ["*"] }, shop.asOwner);
  await posthorn.inboundEndpoints.create({ provider: "ses" }, shop.asOwner);
  await posthorn.apiKeys.create({ name: "old" }, shop.asOwner);
  return (await posthorn.apiKeys.create({ name: "shop" }, shop.asOwner)).key;
}

async function useDomains({ posthorn, dns }: World, shop: TestWorkspace): Promise<void> {
  const domain = await posthorn.domains.create({ name: "shop.example", tracking: "links" }, shop.asOwner);
  for (const { name, type, value, priority } of domain.records)
    if (type === "MX") dns.setMx(name, `${priority} ${value}`);
    else if (type === "CNAME") dns.setCname(name, value);
    else dns.set(name, value);
  await posthorn.domains.verify({ domainId: domain.id }, shop.asOwner);
  const server = {
    name: "relay",
    host: "relay.example",
    fromDomains: ["relayed.example"],
    maxPerHour: 50,
    maxPerSecond: 5,
  };
  await posthorn.smtpServers.create(server, shop.asOwner);
}

/** E-mails with files, labels and keys, in batches, opened and clicked. Returns one of them. */
async function useMail(world: World, shop: TestWorkspace): Promise<Pick<Used, "emailId" | "mail">> {
  const { posthorn, clock, mailer } = world;
  const call = { workspaceId: shop.id };
  const attachments = [{ filename: "a.bin", content: Buffer.alloc(200_000, 7) }];
  const { id } = await posthorn.emails.sendTemplate(
    {
      from: "ada@shop.example",
      to: ["ada@example.com"],
      template: "hello",
      templateData: { name: "Ada ☂" },
      tags: ["order"],
      metadata: { order: 7 },
      attachments,
      unsubscribe: { list: "news" },
      idempotencyKey: "K-1",
      dedupeKey: "order 7",
    },
    call,
  );
  const recipients = ["b", "c", "d"].map((name) => ({ to: `${name}@example.com`, templateData: { name } }));
  await posthorn.emails.sendBatch({ template: "hello", recipients }, call);
  await posthorn.emails.send(
    { from: "a@relayed.example", to: ["e@example.com"], subject: "Hi", text: "Hi" },
    call,
  );
  await posthorn.attachments.upload({ filename: "b.bin", content: Buffer.alloc(90_000, 8) }, call);
  const dropped = await posthorn.attachments.upload({ filename: "c.txt", content: Buffer.from("c") }, call);
  await posthorn.attachments.delete({ attachmentId: dropped.id }, call);
  await posthorn.suppressions.create({ email: "gone@example.com" }, shop.asOwner);
  await posthorn.drain();
  clock.advance(3_600_000);
  const sent = mailer.inbox.find({ to: "ada@example.com" });
  const found = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? "";
  const field = (wanted: string) => sent?.headers.find(({ name }) => name === wanted)?.value ?? "";
  const mail = {
    image: found(sent?.html ?? "", /\/o\/([\w-]+)\.gif/),
    link: found(sent?.html ?? "", /\/c\/([\w-]+)/),
    unsubscribe: found(field("List-Unsubscribe"), /\/u\/([^>]+)>/),
    ref: field("X-Service-Ref"),
  };
  posthorn.recordOpen(mail.image, visit);
  posthorn.followLink(mail.link, visit);
  await posthorn.drain();
  return { emailId: id, mail };
}

/** Deferred and refused e-mails, and a bounce that comes back by mail. */
async function useFailures({ posthorn, mailer }: World, shop: TestWorkspace): Promise<void> {
  const call = { workspaceId: shop.id };
  const mail = { subject: "Hi", text: "Hi" };
  mailer.answerWith(answerAll("refused", 550, "5.1.1 User unknown"));
  await posthorn.emails.send({ ...mail, to: ["nobody@example.com"] }, call);
  await posthorn.drain();
  mailer.answerWith(answerAll("refused", 552, "5.2.2 Mailbox full"));
  await posthorn.emails.send({ ...mail, to: ["full@example.com"] }, call);
  await posthorn.drain();
  mailer.answerWith(answerAll("deferred", 450, "4.2.1 Later"));
  await posthorn.emails.send({ ...mail, to: ["later@example.com"] }, call);
  await posthorn.drain();
  mailer.answerWith();
  const { id } = await posthorn.emails.send({ ...mail, to: ["bounced@example.com"] }, call);
  await posthorn.drain();
  const ref = mailer.inbox
    .all()
    .find(({ emailId }) => emailId === id)
    ?.headers.find(({ name }) => name === "X-Service-Ref")?.value;
  await posthorn.inbound.feed({ message: about(ref ?? "", [{ to: "bounced@example.com" }]) }, shop.asOwner);
}

/** A campaign that is under way. */
async function useCampaign({ posthorn }: World, shop: TestWorkspace): Promise<number> {
  const recipients = Array.from({ length: 30 }, (_, index) => ({ to: `list${index}@example.com` }));
  const fields = {
    name: "Spring",
    subject: "Hi",
    html,
    unsubscribe: false as const,
    recipients,
    pace: { perHour: 10 },
  };
  const { id: campaignId } = await posthorn.campaigns.create(fields, shop.asOwner);
  await posthorn.campaigns.start({ campaignId }, shop.asOwner);
  await posthorn.drain();
  return campaignId;
}

/** A scheduled e-mail, a held queue, an erasure that has begun, an abandoned upload. */
async function leaveWaiting({ posthorn, clock }: World, shop: TestWorkspace): Promise<void> {
  const later = {
    subject: "Hi",
    text: "Hi",
    to: ["soon@example.com"],
    scheduledAt: new Date(clock.now() + 7_200_000),
  };
  await posthorn.emails.send(later, { workspaceId: shop.id });
  await posthorn.queue.pause({ reason: "moving" }, { as: { kind: "operator", name: "test" } });
  await posthorn.recipients.erase({ email: "e@example.com" }, shop.asOwner);
}
