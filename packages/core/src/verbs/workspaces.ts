// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { Page } from "../calls/paging.ts";
import type { AdministeredWorkspace, WorkspaceView } from "../workspaces/workspace-view.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `list` takes. */
export interface ListWorkspacesInput {
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
}

/** What `create` takes. */
export interface CreateWorkspaceInput {
  /** The workspace's name: at most 100 characters on one line, without a link. */
  name: string;
}

/** What `createFor` takes. */
export interface CreateWorkspaceForInput {
  /** The workspace's name: at most 100 characters on one line, without a link. */
  name: string;
  /** The number of the user who becomes the owner. */
  userId: number;
}

/** What `ensure` takes. */
export interface EnsureWorkspaceInput {
  /** The host's own id for it: 1 to 200 characters on one line, compared exactly. */
  externalId: string;
  /** The workspace's name: at most 100 characters on one line, without a link. */
  name: string;
  /** The number of the user who becomes the owner, if the workspace has none. */
  userId?: number | undefined;
}

/** What `update` takes. */
export interface UpdateWorkspaceInput {
  /** The workspace's name: at most 100 characters on one line, without a link. */
  name?: string | undefined;
}

/** What `delete` takes. */
export interface DeleteWorkspaceInput {
  /** The workspace's name, to confirm the deletion. */
  name: string;
}

/** What `transferOwnership` takes. */
export interface TransferOwnershipInput {
  /** The number of the member who becomes the owner. The former owner becomes an admin. */
  userId: number;
}

/** What `listAll` takes. */
export interface ListAllWorkspacesInput {
  /** Number of the page, counted from 0. Default 0. */
  page?: number | undefined;
  /** Number of items per page, 1 to 100. Default 20. */
  size?: number | undefined;
  /**
   * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
   * costs the same, however deep it is.
   */
  after?: string | undefined;
  /** Lists only workspaces whose name contains this text. */
  q?: string | undefined;
}

/** What `find` takes. */
export interface FindWorkspaceInput {
  /** The workspace's number. */
  workspaceId: number;
}

/** What `trust` and `distrust` take. */
export interface TrustWorkspaceInput {
  /** The workspace's number. */
  workspaceId: number;
}

/** Workspaces: each has its own members, e-mails and settings. */
export interface WorkspacesVerbs<K extends CallShapes = CallShapes> {
  /** Lists the caller's workspaces with the caller's role in each, newest first (decisions §2). */
  list(this: void, input?: ListWorkspacesInput, ...call: K["user"]): Promise<Page<WorkspaceView>>;
  /**
   * Creates a workspace with the caller as its owner, within the `maxWorkspaces` of the caller's plan (decisions §2,
   * §6). It is trusted if the operator vouches for the caller; otherwise an administrator must trust it (decisions
   * §12). In a single-workspace service only the host creates others.
   *
   * May refuse with `forbidden`, `plan_limit_reached`.
   */
  create(this: void, input: CreateWorkspaceInput, ...call: K["user"]): Promise<WorkspaceView>;
  /**
   * Creates a workspace for a user, who becomes its owner, within the limit of their plan. For the host and the
   * command line.
   *
   * May refuse with `plan_limit_reached`.
   */
  createFor(this: void, input: CreateWorkspaceForInput, ...call: K["any"]): Promise<WorkspaceView>;
  /**
   * Creates or updates the workspace with the host's own id: created if there is none, renamed if its name differs.
   * It is trusted, and needs no owner: without one, only the host and its API keys act on it. Repeating the call is
   * safe, and so are concurrent calls.
   *
   * May refuse with `email_not_verified`, `plan_limit_reached`.
   */
  ensure(this: void, input: EnsureWorkspaceInput, ...call: K["any"]): Promise<WorkspaceView>;
  /** Returns the workspace of the call (decisions §2). */
  get(this: void, input?: NoInput, ...call: K["workspace"]): Promise<WorkspaceView>;
  /** Renames the workspace (decisions §2). */
  update(this: void, input?: UpdateWorkspaceInput, ...call: K["workspace"]): Promise<WorkspaceView>;
  /**
   * Deletes the workspace with everything in it. Its exact name is the confirmation (decisions §2). Large tables,
   * such as e-mails, are deleted first, in pieces, and meanwhile the workspace sends nothing more. After an
   * interrupted deletion it remains without those rows, sends again within a minute, and can be deleted again. The
   * only workspace of a single-workspace service can't be deleted.
   */
  delete(this: void, input: DeleteWorkspaceInput, ...call: K["workspace"]): Promise<void>;
  /**
   * Makes a member the owner and the owner an admin, atomically (decisions §2, §3). The new owner's plan must allow
   * one more workspace: otherwise transfers would bypass `maxWorkspaces`.
   *
   * May refuse with `email_not_verified`, `not_found`, `plan_limit_reached`.
   */
  transferOwnership(
    this: void,
    input: TransferOwnershipInput,
    ...call: K["workspace"]
  ): Promise<WorkspaceView>;
  /** Lists all workspaces, newest first. `q` is searched in the name (decisions §2). */
  listAll(
    this: void,
    input?: ListAllWorkspacesInput,
    ...call: K["any"]
  ): Promise<Page<AdministeredWorkspace>>;
  /** Returns any workspace. For administrators, who need not be members. */
  find(this: void, input: FindWorkspaceInput, ...call: K["any"]): Promise<AdministeredWorkspace>;
  /**
   * Trusts a workspace: it may then send from the server's default sender and through its mail server (decisions
   * §12).
   */
  trust(this: void, input: TrustWorkspaceInput, ...call: K["any"]): Promise<AdministeredWorkspace>;
  /**
   * Withdraws the trust: the workspace sends only from its own verified domains, or through mail servers of its own.
   * That also holds for e-mails that wait, except those of the last minute.
   */
  distrust(this: void, input: TrustWorkspaceInput, ...call: K["any"]): Promise<AdministeredWorkspace>;
}
