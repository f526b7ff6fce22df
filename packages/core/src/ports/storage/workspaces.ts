import type { Listing, Slice } from "./paging.ts";
import type { PlanLimits } from "./plans.ts";
import type { SendingServer } from "./smtp-servers.ts";

/** A member's role in a workspace. */
export type Role = "owner" | "admin" | "editor" | "viewer";

/** A workspace. */
export interface Workspace {
  /** The workspace's number. */
  id: number;
  /** The name. */
  name: string;
  /** The host's own id for it. */
  externalId: string | undefined;
  /** Number of the assigned plan; `undefined` for the default one. */
  planId: number | undefined;
  /** Whether it may send from the server's default sender and through its mail server. */
  isTrusted: boolean;
  /** Id of its current stylesheets as one immutable text; `undefined` if there are none. */
  stylesheetSetId: number | undefined;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** What binds the senders of a workspace's mail. */
export interface BoundSender extends Pick<Workspace, "isTrusted"> {
  /** The workspace's number. */
  workspaceId: number;
  /** Whether its settings require a verified domain. */
  requireVerifiedDomain: boolean;
}

/** A workspace as accepting its e-mails needs it, in one read. */
export interface SendingWorkspace {
  /** The workspace's number. */
  workspaceId: number;
  /** Whether the operator vouches for the workspace. */
  isTrusted: boolean;
  /** Whether the owner's address is verified. */
  isOwnerVerified: boolean;
  /** Until when it is marked as being deleted, by the database's clock; `undefined` if it never was. */
  deletingUntil: number | undefined;
  /** The settings that affect sending. */
  settings: Pick<
    Settings,
    | "defaultSenderName"
    | "defaultSenderEmail"
    | "requireVerifiedDomain"
    | "bounceAutoSuppress"
    | "platformServer"
    | "trackOpens"
    | "trackClicks"
    | "trackingTrap"
  >;
  /** Limits of the effective plan; all 0 without a plan. */
  limits: PlanLimits;
  /** Its current stylesheets; `undefined` if there are none. */
  stylesheetSetId: number | undefined;
  /** Active webhooks that subscribe to any event of e-mails. */
  webhooks: { id: string; events: string[]; filters: string[] }[];
  /** Its own active mail servers, by priority. */
  servers: SendingServer[];
}

/** A place in a workspace's large tables. */
export interface EmptiedTo {
  /** Number of the table, in the order in which they are emptied. */
  table: number;
  /** The last removed row, in the order of the table's rows. */
  after: readonly (string | number)[];
}

/** Result of one piece of emptying a workspace. */
export interface EmptiedPiece {
  /** Number of removed rows. */
  removed: number;
  /** Where the next piece begins; `undefined` if no rows follow. */
  next: EmptiedTo | undefined;
}

/** Workspaces. */
export interface Workspaces {
  /** Inserts a workspace; untrusted by default. */
  insert(workspace: { name: string; isTrusted?: boolean; createdAt: number }): Promise<Workspace>;
  /**
   * Inserts a trusted workspace under an external id, or returns `undefined` if that is taken; the transaction
   * continues.
   */
  insertUnlessThere(workspace: {
    name: string;
    externalId: string;
    createdAt: number;
  }): Promise<Workspace | undefined>;
  /** Finds one by its exact external id. */
  findByExternalId(externalId: string): Promise<Workspace | undefined>;
  /** Finds one; `undefined` if there is none. */
  find(id: number): Promise<Workspace | undefined>;
  /** Finds a workspace and locks the row: no other transaction changes it, or counts by it, until this one ends. */
  lock(id: number): Promise<Workspace | undefined>;
  /** Whether there is one, which then is not deleted until this transaction ends. Locks it against nothing else. */
  hold(id: number): Promise<boolean>;
  /** Lists the user's workspaces with their role, newest first. */
  listFor(userId: number, slice: Slice): Promise<Listing<Workspace & { role: Role }>>;
  /** Lists workspaces, newest first. `q` is searched in the name, ignoring case. */
  list(filter: { q: string | undefined }, slice: Slice): Promise<Listing<Workspace>>;
  /** Lists workspaces as sends need them, in no order. */
  listSending(ids: number[]): Promise<SendingWorkspace[]>;
  /**
   * Returns those of the workspaces that may not send from any domain through any server: their settings require a
   * verified domain, or nobody vouches for them.
   */
  listBoundSenders(ids: number[]): Promise<BoundSender[]>;
  /** Counts the workspaces that the user owns. */
  countOwnedBy(userId: number): Promise<number>;
  /** Changes the given fields. Returns the updated row, or `undefined` if there is none. */
  update(
    id: number,
    changes: Partial<Pick<Workspace, "name" | "planId" | "stylesheetSetId" | "isTrusted">> & {
      updatedAt: number;
    },
  ): Promise<Workspace | undefined>;
  /**
   * Marks the workspace as being deleted until then, ms since the epoch by the database's clock; waits for no
   * transaction that sends.
   */
  markDeleting(id: number, until: number): Promise<void>;
  /**
   * Deletes up to `limit` rows of the workspace's large tables, such as e-mails, including waiting ones, oldest first,
   * from where the previous piece ended. Other transactions can write between two calls, also before that place.
   */
  empty(id: number, limit: number, from?: EmptiedTo): Promise<EmptiedPiece>;
  /** Deletes the workspace with all its rows. Its queued e-mails are never sent. */
  delete(id: number): Promise<boolean>;
}

/** Settings of a workspace (service.md, Workspace settings). */
export interface Settings {
  /** Number of the row. */
  id: number;
  /** The workspace's number. */
  workspaceId: number;
  /** Time zone for display and reports, an IANA name. */
  timezone: string;
  /** Default sender's name, for e-mails without a sender. */
  defaultSenderName: string;
  /** Default sender's address, for e-mails without a sender; empty for the server's. */
  defaultSenderEmail: string;
  /** Maximum retries of a webhook delivery. */
  webhookRetryCount: number;
  /** Default days until a new API key expires; 0 for never. */
  apiKeyExpiryDays: number;
  /** Days after which a domain's signing key is replaced by the next one; 0 for never. */
  dkimRotationDays: number;
  /**
   * Retention period, in days, of the content of settled e-mails, whose rows of the log stay; 0: the same period as the
   * log's.
   */
  contentRetentionDays: number;
  /** Whether addresses are suppressed after a hard bounce or a complaint. */
  bounceAutoSuppress: boolean;
  /** Whether only senders of verified domains may send. */
  requireVerifiedDomain: boolean;
  /** Whether the operator's server delivers mail that none of its own servers handles. */
  platformServer: boolean;
  /** Whether the opening of e-mails is recorded, unless a send says otherwise. */
  trackOpens: boolean;
  /** Whether clicks on links in e-mails are recorded, unless a send says otherwise. */
  trackClicks: boolean;
  /** Whether the full address and user agent of the last opening and click are stored, instead of a part of the address. */
  trackingDetails: boolean;
  /** Whether e-mails with tracked links contain a hidden one that only machines follow. */
  trackingTrap: boolean;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it was last changed, ms since the epoch. */
  updatedAt: number;
}

/** The settings of workspaces, one row each. */
export interface SettingsRepository {
  /** Inserts the initial settings of a workspace. */
  insert(settings: Omit<Settings, "id">): Promise<Settings>;
  /** Finds one; `undefined` if there is none. */
  find(workspaceId: number): Promise<Settings | undefined>;
  /** Changes the given fields. Returns the updated row, or `undefined` if there is none. */
  update(
    workspaceId: number,
    changes: Partial<Omit<Settings, "id" | "workspaceId" | "createdAt" | "updatedAt">> & {
      updatedAt: number;
    },
  ): Promise<Settings | undefined>;
}

/** A member of a workspace, with the user's name and address. */
export interface Member {
  /** The membership's number. */
  id: number;
  /** The workspace's number. */
  workspaceId: number;
  /** The user's number. */
  userId: number;
  /** The user's name. */
  name: string;
  /** The user's address. */
  email: string;
  /** The role in the workspace. */
  role: Role;
  /** When the user joined, ms since the epoch. */
  createdAt: number;
}

/** Members of workspaces. */
export interface Members {
  /** Inserts a member. Throws `UniqueViolation` if the user is a member already. */
  insert(member: { workspaceId: number; userId: number; role: Role; createdAt: number }): Promise<Member>;
  /** Lists members by the number of their user, at most `limit` whose number is above `after`. */
  list(workspaceId: number, after: number, limit: number): Promise<Member[]>;
  /** Finds one; `undefined` if there is none. */
  find(workspaceId: number, userId: number): Promise<Member | undefined>;
  /** Finds a member by the user's address, ignoring case; `undefined` if there is none. */
  findByEmail(workspaceId: number, email: string): Promise<Member | undefined>;
  /** Finds the owner; `undefined` if the workspace has none. */
  findOwner(workspaceId: number): Promise<Member | undefined>;
  /** Returns the user's role; `undefined` if the user is not a member. */
  roleOf(workspaceId: number, userId: number): Promise<Role | undefined>;
  /** Returns the user's role and locks it until the transaction ends. */
  lockRole(workspaceId: number, userId: number): Promise<Role | undefined>;
  /** Changes the role of a member other than the owner. Returns whether there was one. */
  setRole(workspaceId: number, userId: number, role: Role): Promise<boolean>;
  /** Removes a member other than the owner. Returns whether there was one. */
  delete(workspaceId: number, userId: number): Promise<boolean>;
  /** Makes `to` the owner and `from` an admin, if `from` is the owner and `to` a member. */
  transferOwnership(workspaceId: number, from: number, to: number): Promise<boolean>;
}

/** Status of an invitation; an expired one is still `pending`. */
export type InvitationStatus = "pending" | "accepted" | "declined";

/** An invitation to a workspace. */
export interface Invitation {
  /** The invitation's number. */
  id: number;
  /** The workspace's number. */
  workspaceId: number;
  /** The workspace's name. */
  workspaceName: string;
  /** The invited address. */
  email: string;
  /** The role that the invitee will have. */
  role: Exclude<Role, "owner">;
  /** The status. */
  status: InvitationStatus;
  /** Number of the user who sent it; `undefined` if they were deleted, or the host invited. */
  invitedBy: number | undefined;
  /** When it expires, ms since the epoch. */
  expiresAt: number;
  /** When it was sent, ms since the epoch. */
  createdAt: number;
}

/** Invitations. Their tokens are stored as digests. */
export interface Invitations {
  /** Inserts an invitation. Throws `UniqueViolation` if the address has a pending one in the workspace. */
  insert(
    invitation: Omit<Invitation, "id" | "workspaceName" | "status"> & { tokenDigest: string },
  ): Promise<Invitation>;
  /** Finds one; `undefined` if there is none. */
  find(id: number): Promise<Invitation | undefined>;
  /** Finds an invitation by the digest of its token. */
  findByToken(tokenDigest: string): Promise<Invitation | undefined>;
  /** Lists pending, unexpired ones of a workspace, newest first. */
  listPending(workspaceId: number, now: number): Promise<Invitation[]>;
  /** Lists pending, unexpired ones for an address, newest first. */
  listPendingFor(email: string, now: number): Promise<Invitation[]>;
  /** Settles a pending, unexpired invitation. Returns whether this call did. */
  settle(id: number, status: "accepted" | "declined", now: number): Promise<boolean>;
  /** Deletes a pending invitation of the workspace. */
  delete(workspaceId: number, id: number): Promise<Invitation | undefined>;
  /** Deletes expired pending ones for the address, so that a new one can be inserted. */
  deleteExpiredFor(workspaceId: number, email: string, now: number): Promise<void>;
  /** Deletes the pending ones that a user sent, when that user may no longer invite. */
  deletePendingBy(workspaceId: number, userId: number): Promise<number>;
}
