import type { UserCaller } from "../../../calls/caller.ts";
import type { View } from "../../../service/bind-verbs.ts";
import { signatureHeaders } from "../../../webhooks/rules/webhook-signature.ts";
import { answerAll, type MemoryMailer } from "../../memory-mailer.ts";
import type { TestWorkspace, World } from "../../world.ts";

export const password = "the engine weaves algebra";
export const MINUTE = 60_000;
export const mail = { to: ["ada@example.com"], subject: "Hi", text: "Hello." };

/** A workspace in which each verb finds the rows that it needs, and the callers. */
export type VerbsWorld = Awaited<ReturnType<typeof openVerbsWorld>>;

/** The verbs inside the host's transaction, with their rows. */
export interface Inside extends VerbsWorld {
  /** The verbs as the host. */
  posthorn: View<unknown>;
  /** The verbs as the host, on the workspace. */
  shop: View<unknown, "workspace">;
  /** The verbs as the owner, who has a password and sessions. */
  owner: View<unknown, "user">;
  /** The verbs as an invited user. */
  guest: View<unknown, "user">;
}

/** Creates the rows that verbs need, and advances the clock so that some of them expire. */
export async function openVerbsWorld(world: World<MemoryMailer, unknown>) {
  const { posthorn, clock, mailer } = world;
  mailer.probe = async () => ({ ok: true, steps: [], extensions: [], maxSize: undefined });
  const people = await addPeople(world);
  const workspace = await world.addWorkspace({ name: "Shop", owner: people.ada });
  await posthorn.workspaces.trust({ workspaceId: workspace.id });
  const shop = posthorn.workspace(workspace.id);
  const content = await addContent(shop);
  const sent = await addEmails(world, workspace);
  const { id: planId } = await posthorn.plans.create({ name: "Basic" });
  const { id: sparePlanId } = await posthorn.plans.create({ name: "Spare" });
  await posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId });
  await posthorn.plans.assignToUser({ userId: people.ada.userId, planId });
  const member = await workspace.addMember("viewer");
  const invitation = await shop.invitations.create({ email: people.guestCaller.email, role: "viewer" });
  const { id: sparedInvitationId } = await shop.invitations.create({
    email: "x@example.com",
    role: "viewer",
  });
  await posthorn.drain();
  const invitationToken = mailedToken(mailer, people.guestCaller.email);
  const domain = await shop.domains.create({ name: "shop.example" });
  for (const { type, name, value } of domain.records) if (type === "TXT") world.dns.set(name, value);
  const server = await shop.smtpServers.create({
    name: "relay",
    host: "smtp.relay.example",
    isActive: false,
  });
  await shop.suppressions.create({ email: "no@example.com" });
  await shop.suppressions.create({ email: "over@example.com", expiresAt: clock.now() + MINUTE });
  const reset = await resetToken(world, people.ada.email);
  const campaignId = async (name: string): Promise<number> => {
    const recipients = [{ to: `${name}@example.com` }];
    return (await shop.campaigns.create({ name, subject: "s", text: "t", recipients })).id;
  };
  const campaigns = {
    draft: await campaignId("draft"),
    running: await campaignId("running"),
    paused: await campaignId("paused"),
  };
  await shop.campaigns.start({ campaignId: campaigns.running });
  await shop.campaigns.start({ campaignId: campaigns.paused });
  await shop.campaigns.pause({ campaignId: campaigns.paused });
  clock.advance(2 * MINUTE);
  return {
    ...people,
    ...content,
    ...sent,
    workspaceId: workspace.id,
    planId,
    sparePlanId,
    memberId: member.userId,
    invitationId: invitation.id,
    sparedInvitationId,
    invitationToken,
    domainId: domain.id,
    smtpServerId: server.id,
    campaigns,
    resetToken: reset,
    now: () => clock.now(),
    signed: (secret: string, body: string) =>
      signatureHeaders({ secrets: [secret], id: "1", timestamp: clock.now(), body }),
  };
}

/** Returns the token of the newest mail to an address. */
function mailedToken({ inbox }: MemoryMailer, to: string): string {
  const mails = inbox.all().filter(({ envelope }) => envelope.to.includes(to));
  const token = /\?token=([\w-]{43})/.exec(mails.at(-1)?.text ?? "")?.[1];
  if (token === undefined) throw new Error(`no mail with a token was sent to ${to}`);
  return token;
}

async function resetToken({ posthorn, mailer }: World<MemoryMailer, unknown>, email: string) {
  await posthorn.accounts.forgotPassword({ email });
  await posthorn.drain();
  return mailedToken(mailer, email);
}

async function addPeople({ posthorn, mailer, addUser }: World<MemoryMailer, unknown>) {
  const login = async (): Promise<UserCaller> => {
    const { token } = await posthorn.accounts.login({ email: "ada@example.com", password });
    const caller = await posthorn.authenticateUser(token);
    if (caller === undefined) throw new Error("the login is refused");
    return caller;
  };
  await posthorn.users.create({ name: "Ada", email: "ada@example.com", password });
  const [ada, other] = [await login(), await login()];
  const newcomer = { name: "New", email: "new@example.com", password };
  await posthorn.accounts.register(newcomer);
  await posthorn.drain();
  return {
    ada,
    otherSessionId: other.sessionId ?? "",
    /** The verbs as an administrator of the platform. */
    administrator: await addUser({ admin: true }),
    secondAdministrator: await addUser({ admin: true }),
    nobody: await addUser(),
    guestCaller: await addUser({ email: "guest@example.com" }),
    newcomer,
    verificationToken: mailedToken(mailer, newcomer.email),
  };
}

async function addContent(shop: View<unknown, "workspace">) {
  const version = { subject: "Hi", text: "Hello {{unsubscribe_url}}", note: "first" };
  const template = await shop.templates.create({ name: "welcome", ...version });
  const draft = await shop.templateVersions.create({ templateId: template.id, subject: "s", text: "t" });
  const stylesheet = await shop.stylesheets.create({ name: "house", css: "p { color: red }" });
  const apiKey = await shop.apiKeys.create({ name: "till" });
  const file = { filename: "a.txt", content: Buffer.from("a file") };
  const attachment = await shop.attachments.upload(file);
  const endpoint = await shop.inboundEndpoints.create({ provider: "generic" });
  return {
    templateId: template.id,
    draftId: draft.id,
    stylesheetId: stylesheet.id,
    apiKeyId: apiKey.id,
    file,
    attachmentId: attachment.id,
    endpoint,
  };
}

/** Adds e-mails in each state, webhook deliveries about them, and returned mail. */
async function addEmails({ posthorn, mailer }: World<MemoryMailer, unknown>, { id }: TestWorkspace) {
  const shop = posthorn.workspace(id);
  const { id: webhookId } = await shop.webhooks.create({
    url: "https://hooks.example.com/",
    events: ["email.sent"],
  });
  mailer.answerWith(answerAll("refused", 550, "550 no"));
  const failed = await shop.emails.send(mail);
  await posthorn.drain();
  mailer.answerWith();
  const attachments = [{ filename: "b.txt", content: Buffer.from("b") }];
  const sent = await shop.emails.send({ ...mail, attachments, to: ["eve@example.com"] });
  const unsubscribe = { list: "news" };
  const welcome = { template: "welcome", unsubscribe };
  await shop.emails.sendTemplate({ ...welcome, to: ["fan@example.com"] });
  await shop.emails.sendTemplate({ ...welcome, to: ["gone@example.com"] });
  await posthorn.drain();
  const link = (to: string): string =>
    /\/u\/([\w.-]+)/.exec(mailer.inbox.find({ to })?.text ?? "")?.[1] ?? "";
  await posthorn.unsubscriptions.create({ token: link("gone@example.com") });
  const scheduledAt = new Date(posthorn.now() + 60 * MINUTE);
  const waiting = await shop.emails.send({ ...mail, scheduledAt });
  const { batchId } = await shop.emails.sendBatch({ emails: [{ ...mail, scheduledAt }] });
  const [delivery] = (await shop.webhooks.listDeliveries({ webhookId })).items;
  const report = await shop.inbound.feed({ message: bounceOf(sent.id) });
  return {
    failedId: failed.id,
    sentId: sent.id,
    waitingId: waiting.id,
    batchId,
    webhookId,
    deliveryId: delivery?.id ?? "",
    reportId: report.id ?? "",
    unsubscribeToken: link("fan@example.com"),
    unsubscribedToken: link("gone@example.com"),
  };
}

/** Returns a bounce message about the e-mail, as a mail server sends it. */
export const bounceOf = (emailId: string): string =>
  [
    "Content-Type: multipart/report; boundary=b",
    "",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    `Original-Envelope-Id: ${emailId}`,
    "",
    "Final-Recipient: rfc822; eve@example.com",
    "Action: failed",
    "Diagnostic-Code: smtp; 550 5.1.1 User unknown",
    "",
    "--b--",
  ].join("\r\n");
