// Printed by `npm run verbs`. Do not edit.
export const plansWords = {
  "plans.create": "Creates a plan, active and without limits unless given (service.md, Plan).",
  "plans.list": "Every plan, oldest first (service.md, Plans).",
  "plans.get": "One plan (service.md, Plans).",
  "plans.update":
    "Changes the given fields of a plan; the default plan can't be deactivated (service.md, Plans; decisions §6).",
  "plans.delete":
    "Deletes a plan; with `force` it is first unassigned from every workspace and user. The default plan stays (decisions §6).",
  "plans.setDefault": "Makes a plan the default, in place of the previous one (service.md, Plan).",
  "plans.assignToWorkspace": "Assigns a plan to a workspace (service.md, Plans).",
  "plans.getForWorkspace": "The plan in force for a workspace, and where it comes from (decisions §6).",
  "plans.assignToUser":
    "Assigns a plan to a user, which limits how many workspaces the user may own (decisions §6).",
  "plans.getForUser": "The plan in force for a user, and where it comes from (decisions §6).",
  "plans.getCurrent": "The plan of the workspace: its own, otherwise the default (service.md, Plans).",
  "plans.unassignFromWorkspace":
    "Unassigns a workspace's plan, so that the default applies again; does nothing if none is assigned.",
  "plans.unassignFromUser":
    "Unassigns a user's plan, so that the default applies again; does nothing if none is assigned.",
  "plans.listHolders":
    "A plan's holders, workspaces before users, without those who have it only as the default.",
};
