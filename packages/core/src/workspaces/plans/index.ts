import {
  assignPlanToUser,
  assignPlanToWorkspace,
  unassignPlanFromUser,
  unassignPlanFromWorkspace,
} from "./assign-plan.ts";
import { createPlan } from "./create-plan.ts";
import { deletePlan } from "./delete-plan.ts";
import { getCurrentPlan, getUserPlan, getWorkspacePlan } from "./get-assigned-plan.ts";
import { getPlan } from "./get-plan.ts";
import { listPlanHolders } from "./list-plan-holders.ts";
import { listPlans } from "./list-plans.ts";
import { setDefaultPlan } from "./set-default-plan.ts";
import { updatePlan } from "./update-plan.ts";

/** Plans, which set limits, and their assignment to workspaces and users. */
export const plans = {
  create: createPlan,
  list: listPlans,
  get: getPlan,
  update: updatePlan,
  delete: deletePlan,
  setDefault: setDefaultPlan,
  assignToWorkspace: assignPlanToWorkspace,
  getForWorkspace: getWorkspacePlan,
  assignToUser: assignPlanToUser,
  getForUser: getUserPlan,
  getCurrent: getCurrentPlan,
  unassignFromWorkspace: unassignPlanFromWorkspace,
  unassignFromUser: unassignPlanFromUser,
  listHolders: listPlanHolders,
} as const;
