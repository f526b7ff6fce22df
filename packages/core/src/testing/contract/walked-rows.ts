import type { Suppression } from "../../ports/storage.ts";
import { NOW, nextId, type SendingWorld } from "./sending-world.ts";

export const named = (workspaceId: number) => ({ id: nextId(), workspaceId, name: nextId(), createdAt: NOW });

export const newVersion = ({ contentId }: SendingWorld) => ({
  id: nextId(),
  note: "",
  sampleData: {},
  contentId,
  createdAt: NOW,
});

export const newEvent = (workspaceId: number | undefined, type: string) => ({
  category: "audit" as const,
  type,
  workspaceId,
  userId: undefined,
  actorId: undefined,
  actorName: "Ada",
  clientIp: "",
  message: "",
  metadata: "{}",
  createdAt: NOW,
});

export const newSuppression = (workspaceId: number, address = `${nextId()}@a.example`): Suppression => ({
  workspaceId,
  scope: "*",
  addressKey: address.toLowerCase(),
  address,
  origin: "manual",
  reason: "",
  emailId: undefined,
  createdBy: undefined,
  createdAt: NOW,
  expiresAt: undefined,
});

export const newReport = (workspaceId: number) => ({
  id: nextId(),
  workspaceId,
  kind: "notification" as const,
  source: "dsn" as const,
  digest: nextId(),
  emailId: undefined,
  effects: [],
  raw: "",
  createdAt: NOW,
});

export const newEndpoint = (workspaceId: number) => ({
  id: nextId(),
  workspaceId,
  provider: "generic" as const,
  secret: undefined,
  tokenDigest: nextId(),
  createdAt: NOW,
});

export const newDomain = (workspaceId: number) => ({
  ...named(workspaceId),
  name: `${nextId()}.example`,
  organisation: "a.example",
  token: "",
  includeSubdomains: false,
  returnPath: "bounces",
  tracking: undefined,
  tls: "opportunistic" as const,
  keys: [],
  nextCheckAt: undefined,
});

export const newPlan = {
  name: "Walked",
  description: "",
  isActive: true,
  dailyRateLimit: 0,
  hourlyRateLimit: 0,
  maxAttachmentSizeMb: 0,
  maxBatchSize: 0,
  maxApiKeys: 0,
  maxDomains: 0,
  maxSmtpServers: 0,
  maxWorkspaces: 0,
  emailLogRetentionDays: 0,
  createdAt: NOW,
  updatedAt: NOW,
};
