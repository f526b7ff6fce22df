import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import {
  planHolderWire,
  planWire,
  userPlanInForceWire,
  userPlanWire,
  workspacePlanInForceWire,
  workspacePlanWire,
} from "../wire/plans.ts";
import { fixedMessage, listOf, noContent } from "../wire/schemas.ts";

const { plans } = useCases;

/** Routes of plans (service.md, Plans; decisions §6). */
export const planRoutes = [
  route("POST /admin/plans", plans.create, {
    summary: "Create a plan",
    status: 201,
    reply: planWire,
  }),
  route("GET /admin/plans", plans.list, { summary: "List plans", reply: listOf(planWire) }),
  route("GET /admin/plans/{id}", plans.get, {
    summary: "Read a plan",
    params: { id: "planId" },
    reply: planWire,
  }),
  route("PUT /admin/plans/{id}", plans.update, {
    summary: "Change a plan",
    params: { id: "planId" },
    reply: planWire,
  }),
  route("DELETE /admin/plans/{id}", plans.delete, {
    summary: "Delete a plan",
    params: { id: "planId" },
    reply: fixedMessage("Plan deleted"),
  }),
  route("PATCH /admin/plans/{id}/default", plans.setDefault, {
    summary: "Make a plan the default",
    params: { id: "planId" },
    reply: planWire,
  }),
  route("GET /admin/plans/{id}/holders", plans.listHolders, {
    summary: "List a plan's holders",
    params: { id: "planId" },
    envelope: "page",
    reply: planHolderWire,
  }),
  route("POST /admin/workspaces/{id}/plan", plans.assignToWorkspace, {
    summary: "Assign a plan to a workspace",
    params: { id: "workspaceId" },
    reply: workspacePlanWire,
  }),
  route("GET /admin/workspaces/{id}/plan", plans.getForWorkspace, {
    summary: "Read a workspace's plan",
    params: { id: "workspaceId" },
    reply: workspacePlanInForceWire,
  }),
  route("DELETE /admin/workspaces/{id}/plan", plans.unassignFromWorkspace, {
    summary: "Unassign a workspace's plan",
    params: { id: "workspaceId" },
    status: 204,
    envelope: "none",
    reply: noContent,
  }),
  route("POST /admin/users/{id}/plan", plans.assignToUser, {
    summary: "Assign a plan to a user",
    params: { id: "userId" },
    reply: userPlanWire,
  }),
  route("GET /admin/users/{id}/plan", plans.getForUser, {
    summary: "Read a user's plan",
    params: { id: "userId" },
    reply: userPlanInForceWire,
  }),
  route("DELETE /admin/users/{id}/plan", plans.unassignFromUser, {
    summary: "Unassign a user's plan",
    params: { id: "userId" },
    status: 204,
    envelope: "none",
    reply: noContent,
  }),
  route("GET /workspaces/current/plan", plans.getCurrent, {
    summary: "Read the workspace's plan",
    envelope: "data",
    reply: planWire,
  }),
] as const;
