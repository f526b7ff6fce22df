import type { Role } from "./ports/storage/workspaces.ts";

const everyone = ["owner", "admin", "editor", "viewer"] as const;
const writers = ["owner", "admin", "editor"] as const;
const managers = ["owner", "admin"] as const;
const owner = ["owner"] as const;

/** Who may do what in a workspace (service.md, Authentication 5; decisions §3). */
export const permissions = {
  "workspace:read": everyone,
  "workspace:update": managers,
  "workspace:delete": owner,
  "workspace:transfer": owner,
  "members:read": everyone,
  "members:write": managers,
  /** Removing someone else takes a manager; every member but the owner may leave. The use case tells them apart. */
  "members:remove": everyone,
  "invitations:read": managers,
  "invitations:write": managers,
  "templates:read": everyone,
  "templates:write": writers,
  "templates:preview": writers,
  "stylesheets:read": everyone,
  "stylesheets:write": writers,
  "settings:read": everyone,
  "settings:write": managers,
  "plan:read": everyone,
  "emails:read": everyone,
  /** Cancelling, rescheduling, retrying. */
  "emails:write": writers,
  "emails:test": writers,
  "campaigns:read": everyone,
  "campaigns:write": writers,
  /** What an e-mail says and brings along. */
  "emails:content": writers,
  "suppressions:read": everyone,
  "suppressions:write": writers,
  /** Letting mail through to who complained. */
  "suppressions:release": managers,
  /** All that is held about somebody, and its end. */
  "recipients:export": managers,
  "recipients:erase": managers,
  "domains:read": everyone,
  "domains:write": managers,
  "inbound:write": managers,
  "smtp_servers:read": everyone,
  "smtp_servers:write": managers,
  "webhooks:read": everyone,
  "webhooks:write": managers,
  "api_keys:read": everyone,
  "api_keys:write": managers,
  "audit_log:read": managers,
} as const satisfies Record<string, readonly Role[]>;

/** Something that a role may do in a workspace. */
export type Permission = keyof typeof permissions;

/** A way in: for anybody, a person, an administrator on all workspaces, a workspace's key, or a role with a permission. */
export type Way = "anonymous" | "user" | "administrator" | "api_key" | Permission;

/** What a use case requires of its caller: one kind of access, or several, of which the caller's own applies. */
export type Access = Way | readonly Way[];

/** The ways of an access. */
export type WaysOf<A extends Access> = A extends readonly (infer W extends Way)[] ? W : Extract<A, Way>;

export const waysOf = (access: Access): readonly Way[] => (typeof access === "string" ? [access] : access);

export function isPermission(way: Way): way is Permission {
  return Object.hasOwn(permissions, way);
}

/** Whether this kind of access acts on one workspace. */
export const isOnWorkspace = (way: Way): way is Permission | "api_key" =>
  way === "api_key" || isPermission(way);

export function allows(role: Role, permission: Permission): boolean {
  return (permissions[permission] as readonly Role[]).includes(role);
}
