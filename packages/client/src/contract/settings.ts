// Printed by `npm run docs:routes` from the table of routes.
import type { Settings } from "./schemas.ts";

/** Lines of the contract about settings. */
export interface SettingsLines {
  /** Read the settings. */
  "GET /workspaces/current/settings": {
    fields: Record<never, never>;
    reply: Settings;
  };
  /** Change the settings. */
  "PUT /workspaces/current/settings": {
    fields: {
      /** IANA time zone for display and reports. New workspaces have UTC. */
      timezone?: string | undefined;
      /** Default sender's name, for requests without `from`. */
      default_sender_name?: string | undefined;
      /** Default sender's address, for requests without `from`; empty for the server's own. */
      default_sender_email?: "" | string | undefined;
      /** Maximum retries of a webhook delivery after the first attempt, 0 to 10. */
      webhook_retry_count?: number | undefined;
      /** Default days until a new API key expires; 0 for never. */
      api_key_expiry_days?: number | undefined;
      /** Days after which a domain's signing key is replaced by the next one, once that is published; 0 for never. */
      dkim_rotation_days?: number | undefined;
      /**
       * Retention period, in days, of the content of settled e-mails: template values, content and files. Their lines of
       * the log stay. At most the plan's retention period of the log; 0 for the same period.
       */
      content_retention_days?: number | undefined;
      /** Whether addresses are suppressed after a hard bounce or a complaint. */
      bounce_auto_suppress?: boolean | undefined;
      /** Whether the workspace may send only from its verified domains. */
      require_verified_domain?: boolean | undefined;
      /**
       * Whether the operator's server delivers mail that none of the workspace's own servers handles. New workspaces:
       * true.
       */
      platform_server?: boolean | undefined;
      /** Whether the opening of e-mails is recorded, unless a send says otherwise. New workspaces: false. */
      track_opens?: boolean | undefined;
      /** Whether clicks on links in e-mails are recorded, unless a send says otherwise. New workspaces: false. */
      track_clicks?: boolean | undefined;
      /**
       * Whether the full address and user agent of the last opening and click are stored, instead of a part of the
       * address. New workspaces: false.
       */
      tracking_details?: boolean | undefined;
      /** Whether e-mails with tracked links contain a hidden one that only machines follow. New workspaces: false. */
      tracking_trap?: boolean | undefined;
    };
    reply: Settings;
  };
}
