import type { Role } from "../ports/storage/workspaces.ts";

/** Who calls. The identity comes from verified credentials alone, never from a request's fields. */
export type Caller =
  | { kind: "anonymous" }
  | {
      kind: "user";
      userId: number;
      /** Absent if the host vouches for the user itself. */
      sessionId: string | undefined;
      name: string;
      email: string;
      emailVerified: boolean;
      isAdmin: boolean;
      /**
       * Set if the host's own login authenticated the user (`Posthorn.admit`): the role that it assigned, and the
       * workspace.
       */
      host?: { workspaceId: number | undefined; role: Role | undefined };
    }
  | {
      kind: "api_key";
      apiKeyId: string;
      workspaceId: number;
      name: string;
      /** ms since the epoch, as last recorded. */
      lastUsedAt: number | undefined;
      /**
       * There while the key is still looked up (`Posthorn.expectApiKey`): nothing may be written or answered before it resolves. Rejects
       * where the key can't be used.
       */
      confirmed?: Promise<void>;
    }
  /** The operator of this process: the host, or the command line. May do everything that needs no person. */
  | { kind: "operator"; name: string };

/** A person who calls. */
export type UserCaller = Extract<Caller, { kind: "user" }>;

/** A workspace's key that calls. */
export type ApiKeyCaller = Extract<Caller, { kind: "api_key" }>;

/** The origin of a request. */
export interface ClientInfo {
  /** The client's address, IPv4 or IPv6; empty if the host calls. */
  ip: string;
  /** The header `User-Agent`; empty if there was none. */
  userAgent: string;
  /** Identifies the request in the response and the log. */
  requestId?: string | undefined;
}

/** The workspace a call acts on, and the caller's role in it, which operators and keys don't have. */
export interface WorkspaceScope {
  /** The workspace's number. */
  id: number;
  /** The caller's role as a member; `undefined` for an operator and a key. */
  role: Role | undefined;
}
