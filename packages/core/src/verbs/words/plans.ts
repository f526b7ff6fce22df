// Printed by `npm run verbs`. Do not edit.
export const plansWords = {
  "plans.create": "Makes a plan, active and without limits where nothing else is said (service.md, Plan).",
  "plans.list": "Every plan, oldest first (service.md, Plans).",
  "plans.get": "One plan (service.md, Plans).",
  "plans.update":
    "Changes the given fields of a plan; the default plan can't be deactivated (service.md, Plans; decisions §6).",
  "plans.delete":
    "Deletes a plan; with `force` it is first unassigned from every workspace and user. The default plan stays (decisions §6).",
  "plans.setDefault": "Makes a plan the default; the previous default is unset (service.md, Plan).",
  "plans.assignToWorkspace": "Puts a workspace under a plan (service.md, Plans).",
  "plans.getForWorkspace": "The plan in force for a workspace, and where it comes from (decisions §6).",
  "plans.assignToUser":
    "Puts a user under a plan, which governs how many workspaces the user may own (decisions §6).",
  "plans.getForUser": "The plan in force for a user, and where it comes from (decisions §6).",
  "plans.getCurrent": "The plan of the workspace: its own, otherwise the default (service.md, Plans).",
  "plans.unassignFromWorkspace":
    "Puts a workspace back under the default plan; one that has none assigned stays as it is.",
  "plans.unassignFromUser":
    "Puts a user back under the default plan; one who has none assigned stays as they are.",
  "plans.listHolders":
    "Whom a plan is assigned to, workspaces before users; who is under it only as the default is not among them.",
};
