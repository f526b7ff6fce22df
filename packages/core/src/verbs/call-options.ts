import type { Caller, ClientInfo, UserCaller } from "../calls/caller.ts";
import type { Optional } from "../ports/with-defaults.ts";

/** How the host calls: on which workspace, as whom, and inside which of its transactions. */
export interface CallOptions<Tx = never> {
  /** The workspace that the call acts on. */
  workspaceId?: number;
  /** Default: the host itself, which may do everything that needs no person. `undefined` is refused. */
  as?: Caller;
  /** Where the call comes from, as the audit log is to have it. */
  client?: Optional<ClientInfo> | undefined;
  /**
   * The host's open transaction, as the storage takes it: the call commits or vanishes with it. Absent or `undefined`:
   * the call has a transaction of its own. `within` refuses `undefined`.
   */
  transaction?: Tx | undefined;
}

/** For what acts on a workspace. A call by an API key, which has one, goes by `posthorn.as(key)`. */
export interface WorkspaceCallOptions<Tx = never> extends CallOptions<Tx> {
  /** The workspace that the call acts on. */
  workspaceId: number;
}

/** For what acts on a workspace, or for an administrator and the host on those of all. */
export interface WorkspacesCallOptions<Tx = never> extends Omit<CallOptions<Tx>, "workspaceId"> {
  /** The workspace that the call acts on; `all` for any, and for the service's own. */
  workspaceId: number | "all";
}

/** For what only a person may do: `as: await posthorn.findUser(id)`. */
export interface UserCallOptions<Tx = never> extends CallOptions<Tx> {
  /** Who calls. */
  as: UserCaller;
}

/** What a verb takes after its input, by what it needs to know of the call. */
export interface CallShapes {
  /** Acts on a workspace. */
  workspace: unknown[];
  /** Acts on a workspace, or on all of them. */
  workspaces: unknown[];
  /** Only a person may. */
  user: unknown[];
  /** Needs neither. */
  any: unknown[];
}

/** What is left to be given once a workspace or a user has been. */
export interface ShapesGiven<Tx, Given extends "workspace" | "user"> extends CallShapes {
  /** Options of a verb on one workspace. */
  workspace: "workspace" extends Given ? [options?: CallOptions<Tx>] : [options: WorkspaceCallOptions<Tx>];
  /** Options of a verb on one workspace or on all. */
  workspaces: "workspace" extends Given
    ? [options?: Partial<WorkspacesCallOptions<Tx>>]
    : [options: WorkspacesCallOptions<Tx>];
  /** Options of a verb that only a user may call. */
  user: "user" extends Given ? [options?: CallOptions<Tx>] : [options: UserCallOptions<Tx>];
  /** Options of a verb that needs neither. */
  any: [options?: CallOptions<Tx>];
}

/** The input of a verb that needs none. */
export type NoInput = Record<string, never>;
