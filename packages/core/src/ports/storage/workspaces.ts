import type { Listing, Slice } from "./paging.ts";

/** What somebody is in a workspace. */
export type Role = "owner" | "admin" | "editor" | "viewer";

/** What people share. */
export interface Workspace {
  /** The workspace's number. */
  id: number;
  /** What it is called. */
  name: string;
  /** The host's own name for it. */
  externalId: string | undefined;
  /** The plan assigned; `undefined`: the default one. */
  planId: number | undefined;
  /** Whether it may send from the server's own sender and through its mail server. */
  isTrusted: boolean;
  /** The stylesheets in force, as one immutable text; `undefined` where there are none. */
  stylesheetSetId: number | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** Workspaces. */
export interface Workspaces {
  /** Untrusted unless it is said. */
  insert(workspace: { name: string; isTrusted?: boolean; createdAt: number }): Promise<Workspace>;
  /** A trusted one under an external id; where that is taken nothing happens: `undefined`, and the transaction goes on. */
  insertUnlessThere(workspace: {
    name: string;
    externalId: string;
    createdAt: number;
  }): Promise<Workspace | undefined>;
  /** Compares letter by letter. */
  findByExternalId(externalId: string): Promise<Workspace | undefined>;
  /** `undefined` where there is none. */
  find(id: number): Promise<Workspace | undefined>;
  /** In a transaction: as `find`, and no other transaction changes or counts by this workspace until this one ends. */
  lock(id: number): Promise<Workspace | undefined>;
  /** The user's workspaces with their role, newest first. */
  listFor(userId: number, slice: Slice): Promise<Listing<Workspace & { role: Role }>>;
  /** Newest first; `q` is looked for in the name, case-insensitively. */
  list(filter: { q: string | undefined }, slice: Slice): Promise<Listing<Workspace>>;
  /** How many workspaces the user owns. */
  countOwnedBy(userId: number): Promise<number>;
  /** Changes what is given; what it is then, or `undefined` where there is none. */
  update(
    id: number,
    changes: Partial<Pick<Workspace, "name" | "planId" | "stylesheetSetId" | "isTrusted">> & {
      updatedAt: number;
    },
  ): Promise<Workspace | undefined>;
  /**
   * Removes up to `limit` rows of what a workspace may have very many of, such as e-mails, waiting ones too, oldest first; whether there was
   * something to remove. Anybody else writes between two such pieces.
   */
  empty(id: number, limit: number): Promise<boolean>;
  /** Deletes the workspace with all that belongs to it; its queued e-mails are never sent. */
  delete(id: number): Promise<boolean>;
}

/** How a workspace sends (service.md, Workspace settings). */
export interface Settings {
  /** The number of the row. */
  id: number;
  /** The workspace's number. */
  workspaceId: number;
  /** The time zone of what is displayed and reported, a name of the IANA's database. */
  timezone: string;
  /** The name of the sender for e-mails without one. */
  defaultSenderName: string;
  /** The address of the sender for e-mails without one; empty for the server's. */
  defaultSenderEmail: string;
  /** Times that a failed webhook delivery is tried again. */
  webhookRetryCount: number;
  /** Days that a new API key lives unless told otherwise; 0 is for ever. */
  apiKeyExpiryDays: number;
  /** Days after which the key that signs a domain's mail gives way to the next; 0 is never. */
  dkimRotationDays: number;
  /** Days after which what settled e-mails said is removed, and their rows of the log stay; 0: with those. */
  contentRetentionDays: number;
  /** Whether an address is suppressed that bounces for good or complains. */
  bounceAutoSuppress: boolean;
  /** Whether only senders of verified domains may send. */
  requireVerifiedDomain: boolean;
  /** Whether mail that no server of its own is there for goes through the operator's. */
  platformServer: boolean;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** The settings of workspaces, one each. */
export interface SettingsRepository {
  /** Keeps the settings that a workspace begins with. */
  insert(settings: Omit<Settings, "id">): Promise<Settings>;
  /** `undefined` where there is none. */
  find(workspaceId: number): Promise<Settings | undefined>;
  /** Changes what is given; what it is then, or `undefined` where there is none. */
  update(
    workspaceId: number,
    changes: Partial<Omit<Settings, "id" | "workspaceId" | "createdAt" | "updatedAt">> & {
      updatedAt: number;
    },
  ): Promise<Settings | undefined>;
}

/** A user in a workspace, with the user's name and address. */
export interface Member {
  /** The membership's number. */
  id: number;
  /** The workspace's number. */
  workspaceId: number;
  /** The user's number. */
  userId: number;
  /** What the user is called. */
  name: string;
  /** The user's address. */
  email: string;
  /** What the user is in the workspace. */
  role: Role;
  /** When the user joined, ms since the epoch. */
  createdAt: number;
}

/** Who belongs to a workspace. */
export interface Members {
  /** Throws `UniqueViolation` where the user is a member already. */
  insert(member: { workspaceId: number; userId: number; role: Role; createdAt: number }): Promise<Member>;
  /** Oldest first. */
  list(workspaceId: number): Promise<Member[]>;
  /** `undefined` where there is none. */
  find(workspaceId: number, userId: number): Promise<Member | undefined>;
  /** By the user's address, in any case; `undefined` where there is none. */
  findByEmail(workspaceId: number, email: string): Promise<Member | undefined>;
  /** `undefined` where the workspace has none. */
  findOwner(workspaceId: number): Promise<Member | undefined>;
  /** `undefined` for whoever is no member. */
  roleOf(workspaceId: number, userId: number): Promise<Role | undefined>;
  /** In a transaction: as `roleOf`, and the role stays what it is until the transaction ends. */
  lockRole(workspaceId: number, userId: number): Promise<Role | undefined>;
  /** Changes the role of a member who is not the owner; whether there was one. */
  setRole(workspaceId: number, userId: number, role: Exclude<Role, "owner">): Promise<boolean>;
  /** Removes a member who is not the owner; whether there was one. */
  delete(workspaceId: number, userId: number): Promise<boolean>;
  /** Makes `to` the owner and `from` an admin, if `from` is the owner and `to` a member. */
  transferOwnership(workspaceId: number, from: number, to: number): Promise<boolean>;
}

/** How far an invitation is; one that expired is still pending. */
export type InvitationStatus = "pending" | "accepted" | "declined";

/** An invitation to a workspace. */
export interface Invitation {
  /** The invitation's number. */
  id: number;
  /** The workspace's number. */
  workspaceId: number;
  /** What the workspace is called. */
  workspaceName: string;
  /** The address that it went to. */
  email: string;
  /** What whoever accepts becomes. */
  role: Exclude<Role, "owner">;
  /** How far it is. */
  status: InvitationStatus;
  /** The user who invited; `undefined` where they are gone, or the host did. */
  invitedBy: number | undefined;
  /** When it lapses, ms since the epoch. */
  expiresAt: number;
  /** When it was sent, ms since the epoch. */
  createdAt: number;
}

/** Invitations, their tokens kept as digests. */
export interface Invitations {
  /** Throws `UniqueViolation` where the address has a pending one in the workspace. */
  insert(
    invitation: Omit<Invitation, "id" | "workspaceName" | "status"> & { tokenDigest: string },
  ): Promise<Invitation>;
  /** `undefined` where there is none. */
  find(id: number): Promise<Invitation | undefined>;
  /** By the digest of the token that was mailed. */
  findByToken(tokenDigest: string): Promise<Invitation | undefined>;
  /** Pending and unexpired ones of a workspace, newest first. */
  listPending(workspaceId: number, now: number): Promise<Invitation[]>;
  /** Pending and unexpired ones for an address, newest first. */
  listPendingFor(email: string, now: number): Promise<Invitation[]>;
  /** Settles a pending, unexpired invitation once; whether this call did. */
  settle(id: number, status: "accepted" | "declined", now: number): Promise<boolean>;
  /** Removes a pending invitation of the workspace. */
  delete(workspaceId: number, id: number): Promise<Invitation | undefined>;
  /** Removes expired pending ones for the address, so that a new one may be made. */
  deleteExpiredFor(workspaceId: number, email: string, now: number): Promise<void>;
  /** Removes the pending ones a user sent, when that user loses the right to invite. */
  deletePendingBy(workspaceId: number, userId: number): Promise<number>;
}
