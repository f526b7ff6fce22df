// Printed by `npm run docs:routes` from the table of routes.
import type { PageOf } from "../page-of.ts";
import type { InboundEndpoint, InboundEndpointMade } from "./schemas.ts";

/** Lines of the contract about inbound endpoints. */
export interface InboundEndpointsLines {
  /** Create an endpoint for a relay's webhooks. */
  "POST /workspaces/current/inbound-endpoints": {
    fields: {
      /** Provider of the webhooks: ses, postmark, sendgrid, mailgun, resend or generic. */
      provider: "ses" | "postmark" | "sendgrid" | "mailgun" | "resend" | "generic";
      /**
       * Secret for verifying the provider's requests: postmark's user:password with a password of at least 12 characters,
       * the keys of sendgrid and mailgun, the secret of resend or generic; for ses the only topic that is accepted.
       */
      secret?: string | undefined;
    };
    reply: InboundEndpointMade;
  };
  /** List endpoints for relays' webhooks. */
  "GET /workspaces/current/inbound-endpoints": {
    fields: {
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
    reply: PageOf<InboundEndpoint>;
  };
  /** Delete an endpoint for a relay's webhooks. */
  "DELETE /workspaces/current/inbound-endpoints/{id}": {
    fields: {
      /** The endpoint's id, a UUID. */
      id: string | number;
    };
    reply: undefined;
  };
}
