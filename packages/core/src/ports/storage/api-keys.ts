import type { PlanLimits } from "./plans.ts";
import type { SendingServer } from "./smtp-servers.ts";
import type { Settings } from "./workspaces.ts";

/** A key that programs send with; its text is kept as a digest only. */
export interface ApiKey {
  /** Names it. */
  id: string;
  /** The workspace's number. */
  workspaceId: number;
  /** What it is called. */
  name: string;
  /** The first characters of the key, to recognise it by. */
  prefix: string;
  /** The user who made it; `undefined` for the operator. */
  createdBy: number | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it ceases to be good, ms since the epoch; `undefined` for never. */
  expiresAt: number | undefined;
  /** When it was revoked, ms since the epoch; `undefined` while it is good. */
  revokedAt: number | undefined;
  /** When it was last used, ms since the epoch, as last noted; `undefined` for never. */
  lastUsedAt: number | undefined;
}

/** What a workspace's sending needs to know, in one read. */
export interface SendingContext {
  /** The workspace's number. */
  workspaceId: number;
  /** Whether the operator vouches for the workspace. */
  isTrusted: boolean;
  /** Whether the owner's address is verified. */
  isOwnerVerified: boolean;
  /** What its settings say about sending. */
  settings: Pick<
    Settings,
    | "defaultSenderName"
    | "defaultSenderEmail"
    | "requireVerifiedDomain"
    | "bounceAutoSuppress"
    | "platformServer"
  >;
  /** Limits of the effective plan; all 0 where there is no plan. */
  limits: PlanLimits;
  /** Its stylesheets in force; `undefined` where there are none. */
  stylesheetSetId: number | undefined;
  /** Active webhooks that listen to anything about e-mails. */
  webhooks: { id: string; events: string[]; filters: string[] }[];
  /** Its own active mail servers, by priority. */
  servers: SendingServer[];
}

/** API keys, and what sending has to know of a workspace. */
export interface ApiKeys {
  /** Keeps a new key under the digest of its text. */
  insert(key: Omit<ApiKey, "revokedAt" | "lastUsedAt"> & { digest: string }): Promise<ApiKey>;
  /** Keys by the digest of their text, revoked and expired ones included, in no order. */
  findByDigests(digests: string[]): Promise<(ApiKey & { digest: string })[]>;
  /** `undefined` where there is none. */
  find(workspaceId: number, id: string): Promise<ApiKey | undefined>;
  /** Unrevoked ones, newest first. */
  list(workspaceId: number): Promise<ApiKey[]>;
  /** Neither revoked nor expired. */
  countUsable(workspaceId: number, now: number): Promise<number>;
  /** Whether there was such a key, unrevoked till now. */
  revoke(workspaceId: number, id: string, now: number): Promise<boolean>;
  /** Unrevoked ones that expire after `from` and till `until`, the next to expire first. */
  listExpiring(from: number, until: number, limit: number): Promise<ApiKey[]>;
  /**
   * Unrevoked keys that have 14 days at most and half their life at most before them, and were not answered before: each is answered
   * once, to one transaction that commits.
   */
  takeExpiring(now: number, limit: number): Promise<ApiKey[]>;
  /** Notes that keys were used. */
  touch(ids: string[], now: number): Promise<void>;
  /** The sending contexts of workspaces, in no order. */
  findSendingContexts(workspaceIds: number[]): Promise<SendingContext[]>;
}
