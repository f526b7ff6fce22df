// Printed by `npm run docs:routes` from the table of routes.
import type { Workspace } from "./schemas.ts";

/** Lines of the contract about transfer ownership. */
export interface TransferOwnershipLines {
  /** Transfer the workspace to another owner. */
  "POST /workspaces/current/transfer-ownership": {
    fields: {
      /** The number of the member who becomes the owner. The former owner becomes an admin. */
      user_id: number;
    };
    reply: Workspace;
  };
}
