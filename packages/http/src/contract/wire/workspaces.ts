import type { OutputOf } from "@posthorn/core";
import type { useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, role, time, timestamp } from "./schemas.ts";

type Core = typeof useCases;
type Workspace = OutputOf<Core["workspaces"]["get"]>;
type AdministeredWorkspace = OutputOf<Core["workspaces"]["listAll"]>["items"][number];
type Member = OutputOf<Core["members"]["list"]>["items"][number];
type Invitation = OutputOf<Core["invitations"]["create"]>;
type Joined = OutputOf<Core["invitations"]["accept"]>;
type Settings = OutputOf<Core["settings"]["get"]>;

/** A workspace with the caller's role (decisions §2). */
export const workspaceWire = wire(
  named(
    "Workspace",
    z.object({
      id: integer,
      name: z.string(),
      role: role.nullable(),
      created_at: timestamp,
      updated_at: timestamp,
    }),
  ),
  (workspace: Workspace) => ({
    id: workspace.id,
    name: workspace.name,
    role: workspace.role ?? null,
    created_at: time(workspace.createdAt),
    updated_at: time(workspace.updatedAt),
  }),
);

/** A workspace as administrators see it. */
export const administeredWorkspaceWire = wire(
  named(
    "AdministeredWorkspace",
    z.object({
      id: integer,
      name: z.string(),
      external_id: z.string().nullable(),
      is_trusted: z.boolean(),
      plan_id: integer.nullable(),
      created_at: timestamp,
      updated_at: timestamp,
    }),
  ),
  (workspace: AdministeredWorkspace) => ({
    id: workspace.id,
    name: workspace.name,
    external_id: workspace.externalId ?? null,
    is_trusted: workspace.isTrusted,
    plan_id: workspace.planId ?? null,
    created_at: time(workspace.createdAt),
    updated_at: time(workspace.updatedAt),
  }),
);

/** A workspace with its external id. */
export const ensuredWorkspaceWire = wire(
  named(
    "EnsuredWorkspace",
    z.object({
      id: integer,
      name: z.string(),
      external_id: z.string().nullable(),
      created_at: timestamp,
      updated_at: timestamp,
    }),
  ),
  (workspace: Workspace) => ({
    id: workspace.id,
    name: workspace.name,
    external_id: workspace.externalId ?? null,
    created_at: time(workspace.createdAt),
    updated_at: time(workspace.updatedAt),
  }),
);

/** `Member` (service.md, Member). */
export const memberWire = wire(
  named(
    "Member",
    z.object({
      id: integer,
      user_id: integer,
      name: z.string(),
      email: z.string(),
      role,
      created_at: timestamp,
    }),
  ),
  (member: Member) => ({
    id: member.id,
    user_id: member.userId,
    name: member.name,
    email: member.email,
    role: member.role,
    created_at: time(member.createdAt),
  }),
);

/** `Invitation` (service.md, Invitation). */
export const invitationWire = wire(
  named(
    "Invitation",
    z.object({
      id: integer,
      workspace_id: integer,
      workspace: z.string(),
      email: z.string(),
      role: z.enum(["admin", "editor", "viewer"]),
      status: z.enum(["pending", "accepted", "declined"]),
      expires_at: timestamp,
      created_at: timestamp,
    }),
  ),
  (invitation: Invitation) => ({
    id: invitation.id,
    workspace_id: invitation.workspaceId,
    workspace: invitation.workspace,
    email: invitation.email,
    role: invitation.role,
    status: invitation.status,
    expires_at: time(invitation.expiresAt),
    created_at: time(invitation.createdAt),
  }),
);

/** Response to accepting an invitation (service.md, Invitations, invitee side). */
export const joinedWire = wire(
  named("Joined", z.object({ message: z.string(), workspace_id: integer })),
  ({ message, workspaceId }: Joined) => ({ message, workspace_id: workspaceId }),
);

/** `Settings` (service.md, Workspace settings). */
export const settingsWire = wire(
  named(
    "Settings",
    z.object({
      id: integer,
      workspace_id: integer,
      timezone: z.string(),
      default_sender_name: z.string(),
      default_sender_email: z.string(),
      webhook_retry_count: integer,
      api_key_expiry_days: integer,
      dkim_rotation_days: integer,
      content_retention_days: integer,
      bounce_auto_suppress: z.boolean(),
      require_verified_domain: z.boolean(),
      platform_server: z.boolean(),
      track_opens: z.boolean(),
      track_clicks: z.boolean(),
      tracking_details: z.boolean(),
      tracking_trap: z.boolean(),
      created_at: timestamp,
      updated_at: timestamp,
    }),
  ),
  (settings: Settings) => ({
    id: settings.id,
    workspace_id: settings.workspaceId,
    timezone: settings.timezone,
    default_sender_name: settings.defaultSenderName,
    default_sender_email: settings.defaultSenderEmail,
    webhook_retry_count: settings.webhookRetryCount,
    api_key_expiry_days: settings.apiKeyExpiryDays,
    dkim_rotation_days: settings.dkimRotationDays,
    content_retention_days: settings.contentRetentionDays,
    bounce_auto_suppress: settings.bounceAutoSuppress,
    require_verified_domain: settings.requireVerifiedDomain,
    platform_server: settings.platformServer,
    track_opens: settings.trackOpens,
    track_clicks: settings.trackClicks,
    tracking_details: settings.trackingDetails,
    tracking_trap: settings.trackingTrap,
    created_at: time(settings.createdAt),
    updated_at: time(settings.updatedAt),
  }),
);
