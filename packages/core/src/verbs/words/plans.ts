// Printed by `npm run verbs`. Do not edit.
export const plansWords = {
  "plans.create": "Creates a plan. It is active and without limits by default (service.md, Plan).",
  "plans.list": "Lists all plans, oldest first (service.md, Plans).",
  "plans.get": "Returns one plan (service.md, Plans).",
  "plans.update":
    "Changes the given fields of a plan. The default plan can't be deactivated (service.md, Plans; decisions §6).",
  "plans.delete":
    "Deletes a plan. With `force` it is first unassigned from all workspaces and users, in pieces: after an interrupted deletion the plan remains with the rest of them, and can be deleted again. The default plan can't be deleted (decisions §6).",
  "plans.setDefault": "Makes a plan the default and unsets the previous one (service.md, Plan).",
  "plans.assignToWorkspace": "Assigns a plan to a workspace (service.md, Plans).",
  "plans.getForWorkspace":
    "Returns the plan that applies to a workspace, and whether it is assigned or the default (decisions §6).",
  "plans.assignToUser":
    "Assigns a plan to a user. It limits how many workspaces the user may own (decisions §6).",
  "plans.getForUser":
    "Returns the plan that applies to a user, and whether it is assigned or the default (decisions §6).",
  "plans.getCurrent": "Returns the workspace's own plan, otherwise the default (service.md, Plans).",
  "plans.unassignFromWorkspace":
    "Unassigns a workspace's plan, so that the default plan applies again. Does nothing if none is assigned.",
  "plans.unassignFromUser":
    "Unassigns a user's plan, so that the default plan applies again. Does nothing if none is assigned.",
  "plans.listHolders":
    "Lists the workspaces and users that a plan is assigned to, workspaces first. Those that have it only as the default are not included.",
};
