// Printed by `npm run docs:routes` from the table of routes.
import type { AdministeredUser } from "./schemas.ts";

/** Lines of the contract about admin users by external id. */
export interface AdminUsersByExternalIdLines {
  /** Create or update a user by external id. */
  "PUT /admin/users-by-external-id/{externalId}": {
    fields: {
      /** The host's own id for it: 1 to 200 characters on one line, compared exactly. */
      externalId: string | number;
      /** The person's name: at most 100 characters on one line, without a web address. */
      name: string;
      /** An e-mail address without a name, at most 254 characters. */
      email: string;
    };
    reply: AdministeredUser;
  };
}
