import type { Caller, ClientInfo } from "./caller.ts";

/** The caller, the origin of the request, and the workspace. */
export interface Call {
  /** The caller, by verified credentials. */
  caller: Caller;
  /** The origin of the request, for guards, logs and events. */
  client: ClientInfo;
  /** The workspace's number, or `all` for an administrator's call across workspaces. */
  workspaceId: number | "all" | undefined;
  /**
   * Size in bytes of the JSON that the input was parsed from, without numbers that a double can't hold. It saves
   * checking that the input can be stored as JSON.
   */
  jsonBytes?: number | undefined;
  /** Whether nobody waits for the answer any more: asked between the pieces of long calls that only answer. */
  hasLeft?: (() => boolean) | undefined;
  /** The host's own open transaction, which the host ends (see `Storage.within`). */
  transaction?: unknown;
}
