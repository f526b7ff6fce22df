// Printed by `npm run docs:routes` from the table of routes.
import type { InboundReport } from "./schemas.ts";

/** Lines of the contract about inbound. */
export interface InboundLines {
  /** Hand in a message that came back, as a person. */
  "POST /workspaces/current/inbound": {
    fields: {
      /**
       * The message that came back, as it came: a notification of delivery (RFC 3464), a complaint (RFC 5965), or any
       * other. At most 1 MiB; bytes beyond ASCII as characters of Latin-1.
       */
      message: string;
    };
    reply: InboundReport;
  };
}
