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
      /** IANA time zone of what is displayed and reported. New workspaces have UTC. */
      timezone?: string | undefined;
      /** Sender's name where a send gives none. */
      default_sender_name?: string | undefined;
      /** Sender's address where a send gives none; empty for the server's own. */
      default_sender_email?: "" | string | undefined;
      /** Retries of a webhook delivery after the first attempt, 0 to 10. */
      webhook_retry_count?: number | undefined;
      /** Days that a new API key lives where none are given; 0 is for ever. */
      api_key_expiry_days?: number | undefined;
      /** Days after which the key that signs a domain's mail gives way to the next, once that is published; 0 is never. */
      dkim_rotation_days?: number | undefined;
      /**
       * Days after which what settled e-mails said is removed: values, content and files. Their lines of the log stay. At
       * most the plan's days of the log; 0 is as long as those.
       */
      content_retention_days?: number | undefined;
      /** Whether an address that bounces for good or complains is suppressed. */
      bounce_auto_suppress?: boolean | undefined;
      /** Whether mail goes only from the workspace's verified domains. */
      require_verified_domain?: boolean | undefined;
      /**
       * Whether mail that none of the workspace's own servers is there for goes through the operator's. New workspaces:
       * true.
       */
      platform_server?: boolean | undefined;
    };
    reply: Settings;
  };
}
