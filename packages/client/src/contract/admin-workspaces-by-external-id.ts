// Printed by `npm run docs:routes` from the table of routes.
import type { EnsuredWorkspace } from "./schemas.ts";

/** Lines of the contract about admin workspaces by external id. */
export interface AdminWorkspacesByExternalIdLines {
  /** Create or update a workspace by external id. */
  "PUT /admin/workspaces-by-external-id/{externalId}": {
    fields: {
      /** The host's own id for it: 1 to 200 characters on one line, compared exactly. */
      externalId: string | number;
      /** The workspace's name: at most 100 characters on one line, without a link. */
      name: string;
      /** The number of the user who becomes the owner, if the workspace has none. */
      user_id?: number | undefined;
    };
    reply: EnsuredWorkspace;
  };
}
