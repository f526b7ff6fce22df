import { expect } from "vitest";
import type { VerbCalls } from "./verb-calls.ts";
import { MINUTE } from "./world.ts";

const version = { subject: "s", text: "t" };

/** Calls about contents, servers, domains and webhooks. */
export const settingCalls: Pick<
  VerbCalls,
  | "templates"
  | "templateVersions"
  | "stylesheets"
  | "settings"
  | "webhooks"
  | "domains"
  | "smtpServers"
  | "queue"
  | "retention"
> = {
  templates: {
    create: ({ shop }) => shop.templates.create({ name: "new", ...version, html: "<p>new</p>" }),
    list: ({ shop }) => shop.templates.list(),
    get: ({ shop, templateId }) => shop.templates.get({ templateId }),
    update: ({ shop, templateId }) => shop.templates.update({ templateId, name: "renamed" }),
    delete: ({ shop, templateId }) => shop.templates.delete({ templateId }),
  },
  templateVersions: {
    create: ({ shop, templateId }) =>
      shop.templateVersions.create({ templateId, ...version, html: "<p>2</p>" }),
    list: ({ shop, templateId }) => shop.templateVersions.list({ templateId }),
    get: ({ shop, templateId, draftId: versionId }) => shop.templateVersions.get({ templateId, versionId }),
    update: ({ shop, templateId, draftId: versionId }) =>
      shop.templateVersions.update({ templateId, versionId, subject: "other" }),
    delete: ({ shop, templateId, draftId: versionId }) =>
      shop.templateVersions.delete({ templateId, versionId }),
    activate: ({ shop, templateId, draftId: versionId }) =>
      shop.templateVersions.activate({ templateId, versionId }),
    preview: ({ shop, templateId, draftId: versionId }) =>
      shop.templateVersions.preview({ templateId, versionId }),
    test: ({ owner, workspaceId, templateId, draftId: versionId, ada: { email } }) =>
      owner.workspace(workspaceId).templateVersions.test({ templateId, versionId, to: email }),
  },
  stylesheets: {
    create: ({ shop }) => shop.stylesheets.create({ name: "new", css: "p { margin: 0 }" }),
    list: ({ shop }) => shop.stylesheets.list(),
    get: ({ shop, stylesheetId }) => shop.stylesheets.get({ stylesheetId }),
    update: ({ shop, stylesheetId }) => shop.stylesheets.update({ stylesheetId, css: "p { margin: 1px }" }),
    delete: ({ shop, stylesheetId }) => shop.stylesheets.delete({ stylesheetId }),
  },
  settings: {
    get: ({ shop }) => shop.settings.get(),
    update: ({ shop }) => shop.settings.update({ timezone: "Europe/Rome" }),
  },
  webhooks: {
    create: ({ shop }) => shop.webhooks.create({ url: "https://hooks.example.com/2", events: ["*"] }),
    list: ({ shop }) => shop.webhooks.list(),
    get: ({ shop, webhookId }) => shop.webhooks.get({ webhookId }),
    update: ({ shop, webhookId }) => shop.webhooks.update({ webhookId, isActive: false }),
    delete: ({ shop, webhookId }) => shop.webhooks.delete({ webhookId }),
    rotateSecret: ({ shop, webhookId }) => shop.webhooks.rotateSecret({ webhookId }),
    listDeliveries: ({ shop, webhookId }) => shop.webhooks.listDeliveries({ webhookId }),
    redeliver: ({ owner, workspaceId, deliveryId }) =>
      owner.workspace(workspaceId).webhooks.redeliver({ deliveryId }),
    test: ({ owner, workspaceId, webhookId }) => owner.workspace(workspaceId).webhooks.test({ webhookId }),
  },
  domains: {
    create: ({ shop }) => shop.domains.create({ name: "other.example" }),
    list: ({ shop }) => shop.domains.list(),
    get: ({ shop, domainId }) => shop.domains.get({ domainId }),
    update: ({ shop, domainId }) => shop.domains.update({ domainId, includeSubdomains: true }),
    verify: ({ shop, domainId }) => shop.domains.verify({ domainId }),
    rotateDkim: ({ shop, domainId }) => shop.domains.rotateDkim({ domainId }),
    delete: ({ shop, domainId }) => shop.domains.delete({ domainId }),
    knowsTrackingHost: ({ posthorn }) => posthorn.domains.knowsTrackingHost({ host: "t.shop.example" }),
  },
  smtpServers: {
    create: ({ shop }) =>
      shop.smtpServers.create({ name: "new", host: "smtp.new.example", username: "u", password: "p" }),
    list: ({ shop }) => shop.smtpServers.list(),
    get: ({ shop, smtpServerId }) => shop.smtpServers.get({ smtpServerId }),
    update: ({ shop, smtpServerId }) => shop.smtpServers.update({ smtpServerId, isActive: true }),
    delete: ({ shop, smtpServerId }) => shop.smtpServers.delete({ smtpServerId }),
    test: ({ owner, workspaceId, smtpServerId }) =>
      owner.workspace(workspaceId).smtpServers.test({ smtpServerId }),
  },
  queue: {
    status: ({ posthorn }) => posthorn.queue.status(),
    pause: ({ posthorn }) => posthorn.queue.pause({ reason: "repairs" }),
    async resume({ posthorn, now }) {
      await posthorn.queue.pause();
      await posthorn.queue.resume({ dropDueBefore: now() + 120 * MINUTE });
    },
    checkRestored: ({ posthorn }) => posthorn.queue.checkRestored(),
  },
  retention: {
    async run({ posthorn }) {
      const { ended } = await posthorn.retention.run({ dryRun: true });
      expect(ended.find(({ table }) => table === "suppressions")?.rows).toBe(1);
      expect((await posthorn.retention.run()).removed).toBeGreaterThan(0);
    },
  },
};
