import type { Listing, Slice } from "./paging.ts";

/** What somebody is in a workspace. */
export type Role = "owner" | "admin" | "editor" | "viewer";

/** What people share. */
export interface Workspace {
  id: number;
  name: string;
  /** The host's own name for it. */
  externalId: string | undefined;
  planId: number | undefined;
  /** Whether it may send from the server's own sender and through its mail server. */
  isTrusted: boolean;
  /** The stylesheets in force, as one immutable text; `undefined` where there are none. */
  stylesheetSetId: number | undefined;
  createdAt: number;
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
  find(id: number): Promise<Workspace | undefined>;
  /** In a transaction: as `find`, and no other transaction changes or counts by this workspace until this one ends. */
  lock(id: number): Promise<Workspace | undefined>;
  /** The user's workspaces with their role, newest first. */
  listFor(userId: number, slice: Slice): Promise<Listing<Workspace & { role: Role }>>;
  /** Newest first; `q` is looked for in the name, case-insensitively. */
  list(filter: { q: string | undefined }, slice: Slice): Promise<Listing<Workspace>>;
  countOwnedBy(userId: number): Promise<number>;
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
  insert(settings: Omit<Settings, "id">): Promise<Settings>;
  find(workspaceId: number): Promise<Settings | undefined>;
  update(
    workspaceId: number,
    changes: Partial<Omit<Settings, "id" | "workspaceId" | "createdAt" | "updatedAt">> & {
      updatedAt: number;
    },
  ): Promise<Settings | undefined>;
}

/** A user in a workspace, with the user's name and address. */
export interface Member {
  id: number;
  workspaceId: number;
  userId: number;
  name: string;
  email: string;
  role: Role;
  createdAt: number;
}

/** Who belongs to a workspace. */
export interface Members {
  /** Throws `UniqueViolation` where the user is a member already. */
  insert(member: { workspaceId: number; userId: number; role: Role; createdAt: number }): Promise<Member>;
  /** Oldest first. */
  list(workspaceId: number): Promise<Member[]>;
  find(workspaceId: number, userId: number): Promise<Member | undefined>;
  findByEmail(workspaceId: number, email: string): Promise<Member | undefined>;
  findOwner(workspaceId: number): Promise<Member | undefined>;
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
  id: number;
  workspaceId: number;
  workspaceName: string;
  email: string;
  role: Exclude<Role, "owner">;
  status: InvitationStatus;
  invitedBy: number | undefined;
  expiresAt: number;
  createdAt: number;
}

/** Invitations, their tokens kept as digests. */
export interface Invitations {
  /** Throws `UniqueViolation` where the address has a pending one in the workspace. */
  insert(
    invitation: Omit<Invitation, "id" | "workspaceName" | "status"> & { tokenDigest: string },
  ): Promise<Invitation>;
  find(id: number): Promise<Invitation | undefined>;
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
