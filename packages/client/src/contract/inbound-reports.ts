// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { InboundReport, InboundReportDetails } from "./schemas.ts";

/** Lines of the contract about inbound reports. */
export interface InboundReportsLines {
  /** List inbound reports. */
  "GET /workspaces/current/inbound-reports": {
    fields: {
      /** Only reports about this e-mail. */
      email_id?: string | undefined;
      /** Only reports of this kind: notifications of delivery, or complaints. */
      kind?: "notification" | "complaint" | undefined;
      /** Number of the page, counted from 0. Default 0. */
      page?: number | undefined;
      /** Number of items per page, 1 to 100. Default 20. */
      size?: number | undefined;
      /**
       * Cursor, in place of `page`: the `after` of the previous page. New items do not shift the list, and every page
       * costs the same, however deep it is.
       */
      after?: string | undefined;
    };
    reply: PageOf<InboundReport>;
  };
  /** Read an inbound report. */
  "GET /workspaces/current/inbound-reports/{id}": {
    fields: {
      /** The report's id, a UUID. */
      id: string | number;
    };
    reply: InboundReportDetails;
  };
}
