import type { Role } from "./ports/storage.ts";

const everyone = ["owner", "admin", "editor", "viewer"] as const;
const writers = ["owner", "admin", "editor"] as const;
const managers = ["owner", "admin"] as const;
const owner = ["owner"] as const;

/** Roles that have each permission in a workspace (service.md, Authentication 5; decisions §3). */
export const permissions = {
  "workspace:read": everyone,
  "workspace:update": managers,
  "workspace:delete": owner,
  "workspace:transfer": owner,
  "members:read": everyone,
  "members:write": managers,
  /** Managers may remove others, and every member but the owner may leave: the use case checks which it is. */
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
  /** Reading an e-mail's content and files. */
  "emails:content": writers,
  "suppressions:read": everyone,
  "suppressions:write": writers,
  /** Deleting a suppression that a complaint caused. */
  "suppressions:release": managers,
  /** Exporting and erasing all data about a recipient. */
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

/** A permission in a workspace. */
export type Permission = keyof typeof permissions;

/**
 * A kind of access: anonymous, as a user, as an administrator on all workspaces, with a workspace's key, or by a role
 * with a permission.
 */
export type Way = "anonymous" | "user" | "administrator" | "api_key" | Permission;

/** The access that a use case requires: one kind, or several, of which the caller's own applies. */
export type Access = Way | readonly Way[];

/** Returns the kinds of access as a list. */
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
