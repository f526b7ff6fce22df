import { expect } from "vitest";
import type { VerbCalls } from "./verb-calls.ts";
import { bounceOf, MINUTE, mail } from "./world.ts";

const version = { subject: "s", text: "t" };

/** Lines for an import that takes two pieces. */
const old = Array.from({ length: 1_001 }, (_, n) => `old${n}@example.com\n`).join("");

/** Calls about e-mails, campaigns, returned mail and suppressions. */
export const mailCalls: Pick<
  VerbCalls,
  | "attachments"
  | "emails"
  | "campaigns"
  | "inbound"
  | "inboundEndpoints"
  | "suppressions"
  | "unsubscriptions"
  | "recipients"
  | "metrics"
> = {
  attachments: {
    upload: ({ shop, file }) => shop.attachments.upload(file),
    get: ({ shop, attachmentId }) => shop.attachments.get({ attachmentId }),
    delete: ({ shop, attachmentId }) => shop.attachments.delete({ attachmentId }),
  },
  emails: {
    sendTemplate: ({ shop }) =>
      shop.emails.sendTemplate({ template: "welcome", to: mail.to, allowMissing: true }),
    async send({ shop, attachmentId }) {
      const options = { idempotencyKey: "k", dedupeKey: "d", attachments: [{ id: attachmentId }] };
      await shop.emails.send({ ...mail, ...options });
    },
    sendBatch: ({ shop }) => shop.emails.sendBatch({ emails: [mail, { ...mail, sensitive: true }] }),
    dryRunSendTemplate: ({ shop }) => shop.emails.dryRunSendTemplate({ template: "welcome", to: mail.to }),
    dryRunSend: ({ shop }) => shop.emails.dryRunSend(mail),
    dryRunSendBatch: ({ shop }) => shop.emails.dryRunSendBatch({ emails: [mail] }),
    getBatch: ({ shop, batchId }) => shop.emails.getBatch({ batchId }),
    cancelBatch: async ({ shop, batchId }) =>
      expect(await shop.emails.cancelBatch({ batchId })).toEqual({ cancelled: 1 }),
    list: ({ shop }) => shop.emails.list({ to: "ada@example.com", tag: "a" }),
    get: ({ shop, sentId: emailId }) => shop.emails.get({ emailId }),
    cancel: ({ shop, waitingId: emailId }) => shop.emails.cancel({ emailId }),
    reschedule: ({ shop, waitingId: emailId, now }) =>
      shop.emails.reschedule({ emailId, scheduledAt: now() + 9 * MINUTE }),
    retry: ({ shop, failedId: emailId }) => shop.emails.retry({ emailId }),
    getContent: ({ shop, sentId: emailId }) => shop.emails.getContent({ emailId }),
    async getAttachment({ shop, sentId: emailId }) {
      const { content } = await shop.emails.getAttachment({ emailId, position: 0 });
      for await (const piece of content) expect(String(piece)).toBe("b");
    },
  },
  campaigns: {
    create: ({ shop }) =>
      shop.campaigns.create({ name: "new", ...version, recipients: [{ to: "ada@example.com" }] }),
    list: ({ shop }) => shop.campaigns.list(),
    get: ({ shop, campaigns }) => shop.campaigns.get({ campaignId: campaigns.draft }),
    update: ({ shop, campaigns }) =>
      shop.campaigns.update({ campaignId: campaigns.draft, name: "renamed", ...version }),
    delete: ({ shop, campaigns }) => shop.campaigns.delete({ campaignId: campaigns.draft }),
    addRecipients: ({ shop, campaigns }) =>
      shop.campaigns.addRecipients({ campaignId: campaigns.draft, recipients: [{ to: "fay@example.com" }] }),
    importRecipients: ({ owner, workspaceId, campaigns }) =>
      owner.workspace(workspaceId).campaigns.importRecipients({
        campaignId: campaigns.draft,
        content: Buffer.from("to\nfay@example.com\n"),
      }),
    listRecipients: ({ shop, campaigns }) => shop.campaigns.listRecipients({ campaignId: campaigns.draft }),
    check: ({ shop, campaigns }) => shop.campaigns.check({ campaignId: campaigns.draft }),
    test: ({ owner, workspaceId, campaigns, ada: { email } }) =>
      owner.workspace(workspaceId).campaigns.test({ campaignId: campaigns.draft, to: email }),
    start: ({ shop, campaigns }) => shop.campaigns.start({ campaignId: campaigns.draft }),
    pause: ({ shop, campaigns }) => shop.campaigns.pause({ campaignId: campaigns.running }),
    resume: ({ shop, campaigns }) => shop.campaigns.resume({ campaignId: campaigns.paused }),
    cancel: ({ shop, campaigns }) => shop.campaigns.cancel({ campaignId: campaigns.paused }),
  },
  inbound: {
    feed: ({ shop, failedId }) => shop.inbound.feed({ message: bounceOf(failedId) }),
    async receive({ posthorn, endpoint, signed, failedId }) {
      const events = [{ kind: "bounce", recipient: "ada@example.com", email_id: failedId, status: "5.1.1" }];
      const body = JSON.stringify({ events });
      const token = endpoint.url.split("/").at(-1) ?? "";
      const headers = signed(endpoint.secret ?? "", body);
      const received = await posthorn.inbound.receive({ provider: "generic", token, headers, body });
      expect(received).toEqual({ matched: 1 });
    },
    knowsAddress: ({ posthorn }) => posthorn.inbound.knowsAddress({ address: "b-x@in.post.example" }),
    receiveMessage: ({ posthorn, failedId }) =>
      posthorn.inbound.receiveMessage({ message: bounceOf(failedId), recipients: ["b@in.post.example"] }),
    list: ({ shop }) => shop.inbound.list(),
    get: ({ shop, reportId }) => shop.inbound.get({ reportId }),
  },
  inboundEndpoints: {
    create: ({ shop }) => shop.inboundEndpoints.create({ provider: "generic" }),
    list: ({ shop }) => shop.inboundEndpoints.list(),
    delete: ({ shop, endpoint: { id: endpointId } }) => shop.inboundEndpoints.delete({ endpointId }),
  },
  suppressions: {
    list: ({ shop }) => shop.suppressions.list(),
    get: ({ shop }) => shop.suppressions.get({ email: "no@example.com" }),
    create: ({ shop }) => shop.suppressions.create({ email: "never@example.com" }),
    delete: ({ shop }) => shop.suppressions.delete({ email: "no@example.com" }),
    check: ({ shop }) => shop.suppressions.check({ emails: ["no@example.com"] }),
    import: async ({ owner, workspaceId }) =>
      expect(
        await owner.workspace(workspaceId).suppressions.import({ content: Buffer.from(`email\n${old}`) }),
      ).toMatchObject({ added: 1_001 }),
    async export({ shop }) {
      let size = 0;
      for await (const piece of (await shop.suppressions.export()).content) size += piece.length;
      expect(size).toBeGreaterThan(0);
    },
  },
  unsubscriptions: {
    get: ({ posthorn, unsubscribeToken: token }) => posthorn.unsubscriptions.get({ token }),
    create: ({ posthorn, unsubscribeToken: token }) => posthorn.unsubscriptions.create({ token }),
    undo: ({ posthorn, unsubscribedToken: token }) => posthorn.unsubscriptions.undo({ token }),
  },
  recipients: {
    async export({ shop }) {
      const pieces: Uint8Array[] = [];
      for await (const piece of (await shop.recipients.export({ email: "eve@example.com" })).content)
        pieces.push(piece);
      expect(Buffer.concat(pieces).toString()).toContain("eve@example.com");
    },
    erase: ({ shop }) => shop.recipients.erase({ email: "eve@example.com" }),
  },
  metrics: { get: ({ shop }) => shop.metrics.get() },
};
