// Printed by `npm run docs:routes` from the table of routes.
import type { Plan } from "./schemas.ts";

/** Lines of the contract about plan. */
export interface PlanLines {
  /** Read the workspace's plan. */
  "GET /workspaces/current/plan": {
    fields: Record<never, never>;
    reply: Plan;
  };
}
