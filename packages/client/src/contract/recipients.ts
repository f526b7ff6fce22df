// Printed by `npm run docs:routes` from the table of routes.
import type { Erasure } from "./schemas.ts";

/** Lines of the contract about recipients. */
export interface RecipientsLines {
  /** Erase a recipient. */
  "POST /workspaces/current/recipients/erase": {
    fields: {
      /** The recipient's address. Upper and lower case are equal. */
      email: string;
    };
    reply: Erasure;
  };
  /** Export a recipient's data. */
  "GET /workspaces/current/recipients/{email}/export": {
    fields: {
      /** The recipient's address. Upper and lower case are equal. */
      email: string | number;
    };
    reply: Uint8Array<ArrayBuffer>;
  };
}
