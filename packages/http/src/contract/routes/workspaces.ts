import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { fixedMessage, listOf, messageWire, noContent } from "../wire/schemas.ts";
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

/** Routes of workspaces (decisions §2), members, invitations on both sides, and settings (service.md). */
export const workspaceRoutes = [
  route("GET /workspaces", workspaces.list, {
    summary: "List your workspaces",
    envelope: "page",
    reply: workspaceWire,
  }),
  route("POST /workspaces", workspaces.create, {
    summary: "Create a workspace",
    status: 201,
    reply: workspaceWire,
  }),
  route("GET /workspaces/current", workspaces.get, { summary: "Read the workspace", reply: workspaceWire }),
  route("PUT /workspaces/current", workspaces.update, {
    summary: "Change the workspace",
    reply: workspaceWire,
  }),
  route("DELETE /workspaces/current", workspaces.delete, {
    summary: "Delete the workspace",
    reply: fixedMessage("Workspace deleted"),
  }),
  route("POST /workspaces/current/transfer-ownership", workspaces.transferOwnership, {
    summary: "Transfer the workspace to another owner",
    reply: workspaceWire,
  }),
  route("GET /admin/workspaces", workspaces.listAll, {
    summary: "List all workspaces",
    envelope: "page",
    reply: administeredWorkspaceWire,
  }),
  route("GET /admin/workspaces/{id}", workspaces.find, {
    summary: "Read any workspace",
    params: { id: "workspaceId" },
    reply: administeredWorkspaceWire,
  }),
  route("POST /admin/workspaces/{id}/members", members.add, {
    summary: "Add a member without an invitation",
    status: 201,
    params: { id: "workspaceId" },
    reply: memberWire,
  }),
  route("PUT /admin/workspaces-by-external-id/{externalId}", workspaces.ensure, {
    summary: "Create or update a workspace by external id",
    reply: ensuredWorkspaceWire,
  }),
  route("POST /admin/workspaces/{id}/trust", workspaces.trust, {
    summary: "Trust a workspace",
    params: { id: "workspaceId" },
    reply: administeredWorkspaceWire,
  }),
  route("DELETE /admin/workspaces/{id}/trust", workspaces.distrust, {
    summary: "Withdraw trust from a workspace",
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
  }),
  route("DELETE /workspaces/current/members/{member_id}", members.remove, {
    summary: "Remove a member, or leave",
    status: 204,
    envelope: "none",
    reply: noContent,
  }),
  route("POST /workspaces/current/invitations", invitations.create, {
    summary: "Invite a person",
    status: 201,
    envelope: "data",
    reply: invitationWire,
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
    reply: noContent,
  }),
  route("GET /invitations", invitations.listMine, {
    summary: "List your pending invitations",
    envelope: "data",
    reply: listOf(invitationWire),
  }),
  route("POST /invitations/accept", invitations.accept, {
    summary: "Accept an invitation by its token",
    envelope: "data",
    reply: joinedWire,
  }),
  route("POST /invitations/decline", invitations.decline, {
    summary: "Decline an invitation by its token",
    envelope: "data",
    reply: messageWire,
  }),
  route("POST /invitations/{id}/accept", invitations.acceptById, {
    summary: "Accept an invitation",
    envelope: "data",
    reply: joinedWire,
  }),
  route("POST /invitations/{id}/decline", invitations.declineById, {
    summary: "Decline an invitation",
    envelope: "data",
    reply: messageWire,
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
