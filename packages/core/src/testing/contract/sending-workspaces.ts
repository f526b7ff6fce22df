import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { NOW, useSendingWorld } from "./sending-world.ts";

const UNLIMITED = {
  dailyRateLimit: 0,
  hourlyRateLimit: 0,
  maxAttachmentSizeMb: 0,
  maxBatchSize: 0,
  maxApiKeys: 0,
  maxDomains: 0,
  maxSmtpServers: 0,
  maxWorkspaces: 0,
  emailLogRetentionDays: 0,
};

/** The contract of workspaces as sends need them. */
export function describeSendingWorkspaces(open: () => Promise<Storage>): void {
  describe("sending workspaces", () => {
    const world = useSendingWorld(open);

    test("have the settings, the plan's limits and the subscribed webhooks", async () => {
      const { storage, workspaceId } = world();
      const unasked = await world().addWorkspace("Unasked");
      await world().addWebhook({ workspaceId: unasked });
      const other = await world().addWorkspace("Other");
      await storage.settings.update(workspaceId, { defaultSenderEmail: "a@acme.example", updatedAt: NOW });
      const listening = await world().addWebhook({ events: ["email.sent"], filters: ["acme.example"] });
      await world().addWebhook({ events: ["campaign.completed"] });
      await world().addWebhook({ isActive: false });
      const all = await world().addWebhook({ workspaceId: other });
      await storage.workspaces.update(other, { isTrusted: false, updatedAt: NOW });
      for (const [id, emailVerifiedAt] of [
        [workspaceId, NOW],
        [other, undefined],
      ] as const) {
        const owner = { name: "Ann", email: `ann${id}@example.com`, passwordHash: "!", emailVerifiedAt };
        const user = await storage.users.insert({
          ...owner,
          isAdmin: false,
          isVouchedFor: true,
          createdAt: NOW,
        });
        await storage.members.insert({ workspaceId: id, userId: user.id, role: "owner", createdAt: NOW });
      }
      await storage.workspaces.markDeleting(other, NOW + 5);
      const found = await storage.workspaces.listSending([workspaceId, other, 999_999]);
      found.sort((a, b) => a.workspaceId - b.workspaceId);
      const settings = {
        defaultSenderName: "",
        defaultSenderEmail: "",
        requireVerifiedDomain: false,
        bounceAutoSuppress: true,
        platformServer: true,
        trackOpens: false,
        trackClicks: false,
        trackingTrap: false,
      };
      expect(found).toEqual([
        {
          workspaceId,
          isTrusted: true,
          isOwnerVerified: true,
          deletingUntil: undefined,
          settings: { ...settings, defaultSenderEmail: "a@acme.example" },
          limits: UNLIMITED,
          stylesheetSetId: undefined,
          servers: [],
          webhooks: [{ id: listening.id, events: ["email.sent"], filters: ["acme.example"] }],
        },
        {
          workspaceId: other,
          isTrusted: false,
          isOwnerVerified: false,
          deletingUntil: NOW + 5,
          settings,
          limits: UNLIMITED,
          stylesheetSetId: undefined,
          servers: [],
          webhooks: [{ id: all.id, events: ["*"], filters: [] }],
        },
      ]);
    });

    test("have the limits of their plan, otherwise of the default plan", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const plan = (name: string, hourlyRateLimit: number) =>
        storage.plans.insert({
          ...UNLIMITED,
          name,
          hourlyRateLimit,
          description: "",
          isActive: true,
          createdAt: NOW,
          updatedAt: NOW,
        });
      await storage.plans.setDefault((await plan("Free", 10)).id, NOW);
      await storage.workspaces.update(other, { planId: (await plan("Pro", 99)).id, updatedAt: NOW });
      const found = await storage.workspaces.listSending([workspaceId, other]);
      expect(new Map(found.map((one) => [one.workspaceId, one.limits.hourlyRateLimit]))).toEqual(
        new Map([
          [workspaceId, 10],
          [other, 99],
        ]),
      );
    });
  });
}
