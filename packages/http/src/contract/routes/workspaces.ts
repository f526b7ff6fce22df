import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { listOf, messageWire, nothing, saying } from "../wire/schemas.ts";
import {
  administeredWorkspaceWire,
  ensuredWorkspaceWire,
  invitationWire,
  joinedWire,
  memberWire,
  settingsWire,
  workspaceWire,
} from "../wire/workspaces.ts";

const { workspaces, members, invitations, settings } = useCases;

/** Workspaces (decisions §2), members, invitations of both sides, and settings (service.md). */
export const workspaceRoutes = [
  route("GET /workspaces", workspaces.list, {
    summary: "List the own workspaces",
    envelope: "page",
    reply: workspaceWire,
  }),
  route("POST /workspaces", workspaces.create, {
    summary: "Create a workspace",
    status: 201,
    reply: workspaceWire,
    refusals: ["email_not_verified", "plan_limit_reached"],
  }),
  route("GET /workspaces/current", workspaces.get, { summary: "Read the workspace", reply: workspaceWire }),
  route("PUT /workspaces/current", workspaces.update, {
    summary: "Change the workspace",
    reply: workspaceWire,
  }),
  route("DELETE /workspaces/current", workspaces.delete, {
    summary: "Delete the workspace",
    reply: saying("Workspace deleted"),
  }),
  route("POST /workspaces/current/transfer-ownership", workspaces.transferOwnership, {
    summary: "Make a member the owner",
    reply: workspaceWire,
    refusals: ["not_found", "plan_limit_reached", "email_not_verified"],
  }),
  route("GET /admin/workspaces", workspaces.listAll, {
    summary: "List all workspaces",
    envelope: "page",
    reply: administeredWorkspaceWire,
  }),
  route("PUT /admin/workspaces/by-external-id/{externalId}", workspaces.ensure, {
    summary: "Make sure of a workspace under an id of your own",
    reply: ensuredWorkspaceWire,
    refusals: ["plan_limit_reached"],
  }),
  route("POST /admin/workspaces/{id}/trust", workspaces.trust, {
    summary: "Vouch for a workspace",
    params: { id: "workspaceId" },
    reply: administeredWorkspaceWire,
  }),
  route("DELETE /admin/workspaces/{id}/trust", workspaces.distrust, {
    summary: "Withdraw the trust in a workspace",
    params: { id: "workspaceId" },
    reply: administeredWorkspaceWire,
  }),
  route("GET /workspaces/current/members", members.list, {
    summary: "List the members",
    envelope: "data",
    reply: listOf(memberWire),
  }),
  route("PUT /workspaces/current/members/{member_id}", members.setRole, {
    summary: "Change a member's role",
    envelope: "data",
    reply: messageWire,
    refusals: ["owner_role_not_assignable", "owner_role_immutable"],
  }),
  route("DELETE /workspaces/current/members/{member_id}", members.remove, {
    summary: "Remove a member, or leave",
    status: 204,
    envelope: "none",
    reply: nothing,
    refusals: ["owner_not_removable"],
  }),
  route("POST /workspaces/current/invitations", invitations.create, {
    summary: "Invite someone",
    status: 201,
    envelope: "data",
    reply: invitationWire,
    refusals: [
      "owner_role_not_assignable",
      "already_member",
      "invitation_exists",
      "email_not_verified",
      "rate_limited",
    ],
  }),
  route("GET /workspaces/current/invitations", invitations.list, {
    summary: "List pending invitations",
    envelope: "data",
    reply: listOf(invitationWire),
  }),
  route("DELETE /workspaces/current/invitations/{id}", invitations.cancel, {
    summary: "Cancel an invitation",
    status: 204,
    envelope: "none",
    reply: nothing,
    refusals: ["invitation_not_pending"],
  }),
  route("GET /invitations", invitations.listMine, {
    summary: "List the invitations addressed to the caller",
    envelope: "data",
    reply: listOf(invitationWire),
    refusals: ["email_not_verified"],
  }),
  route("POST /invitations/accept", invitations.accept, {
    summary: "Accept an invitation by its token",
    envelope: "data",
    reply: joinedWire,
    refusals: [
      "not_found",
      "invitation_not_pending",
      "invitation_expired",
      "invitation_for_another_user",
      "already_member",
    ],
  }),
  route("POST /invitations/decline", invitations.decline, {
    summary: "Decline an invitation by its token",
    envelope: "data",
    reply: messageWire,
    refusals: ["not_found", "invitation_not_pending", "invitation_expired", "invitation_for_another_user"],
  }),
  route("POST /invitations/{id}/accept", invitations.acceptById, {
    summary: "Accept an invitation",
    envelope: "data",
    reply: joinedWire,
    refusals: [
      "invitation_not_pending",
      "invitation_expired",
      "invitation_for_another_user",
      "already_member",
      "email_not_verified",
    ],
  }),
  route("POST /invitations/{id}/decline", invitations.declineById, {
    summary: "Decline an invitation",
    envelope: "data",
    reply: messageWire,
    refusals: [
      "invitation_not_pending",
      "invitation_expired",
      "invitation_for_another_user",
      "email_not_verified",
    ],
  }),
  route("GET /workspaces/current/settings", settings.get, {
    summary: "Read the settings",
    envelope: "data",
    reply: settingsWire,
  }),
  route("PUT /workspaces/current/settings", settings.update, {
    summary: "Change the settings",
    envelope: "data",
    reply: settingsWire,
  }),
] as const;
