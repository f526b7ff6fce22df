import type { ApiKey, Role } from "../ports/storage.ts";

/** The caller. The identity comes only from verified credentials, never from fields of a request. */
export type Caller =
  | { kind: "anonymous" }
  | {
      /** What the caller is. */
      kind: "user";
      /** The user's number. */
      userId: number;
      /** Absent if the host itself authenticated the user. */
      sessionId: string | undefined;
      /** The user's name. */
      name: string;
      /** The user's address. */
      email: string;
      /** Whether the address is verified; some use cases refuse others as `email_not_verified`. */
      emailVerified: boolean;
      /** Whether the user is an administrator of the whole service. */
      isAdmin: boolean;
      /**
       * Set if the host's own login authenticated the user (`Posthorn.admit`): the role that it assigned, and the
       * workspace.
       */
      host?: { workspaceId: number | undefined; role: Role | undefined };
    }
  | {
      /** What the caller is. */
      kind: "api_key";
      /** The key's id. */
      apiKeyId: string;
      /** The only workspace that the key acts on. */
      workspaceId: number;
      /** The key's name. */
      name: string;
      /** When the key was last used, as recorded; ms since the epoch. */
      lastUsedAt: number | undefined;
      /**
       * Present if the key is not looked up yet (`Posthorn.expectApiKey`): looks it up once. Nothing may be written or
       * answered before it resolves. Rejects if the key is not valid.
       */
      confirm?: () => Promise<void>;
      /**
       * Present with `confirm`: returns the caller by another look-up of keys; `undefined` if the key is not valid by
       * that.
       */
      assume?: (find: (digest: string) => Promise<ApiKey | undefined>) => Promise<ApiKeyCaller | undefined>;
    }
  /** The operator of this process: the host, or the command line. May do everything that needs no user. */
  | { kind: "operator"; name: string };

const kinds: Record<Caller["kind"], true> = { anonymous: true, user: true, api_key: true, operator: true };

/** Whether a host without types gave a number that a user or a workspace may have; no database looks up others. */
export const isNumberOf = (value: unknown): value is number => Number.isSafeInteger(value);

/** Whether a host without types gave a caller, and not a user's id or row, which would count as anybody's. */
export function isCaller(value: unknown): value is Caller {
  const { kind, userId, workspaceId }: Record<string, unknown> = Object(value);
  if (kind === "user") return isNumberOf(userId);
  if (kind === "api_key") return isNumberOf(workspaceId);
  return Object.hasOwn(kinds, String(kind));
}

/** Says what was given instead of what a call takes. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null || typeof value === "number") return String(value);
  return `${typeof value === "object" ? "an" : "a"} ${typeof value}`;
}

/** The service itself, as the caller of what it does unasked. */
export const serviceCaller = { kind: "operator", name: "Posthorn" } as const satisfies Caller;

/** A user as a caller. */
export type UserCaller = Extract<Caller, { kind: "user" }>;

/** A workspace's API key as a caller. */
export type ApiKeyCaller = Extract<Caller, { kind: "api_key" }>;

/** The client of a request: its address and user agent. */
export interface ClientInfo {
  /** The client's address, IPv4 or IPv6; empty if the host calls. */
  ip: string;
  /** The header `User-Agent`; empty if there was none. */
  userAgent: string;
  /** Identifies the request in the response and the log. */
  requestId?: string | undefined;
}

/** The workspace that a call acts on, and the caller's role in it. Operators and keys have no role. */
export interface WorkspaceScope {
  /** The workspace's number. */
  id: number;
  /** The caller's role; `undefined` for the operator and for keys. */
  role: Role | undefined;
}
