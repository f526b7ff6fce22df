// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { Settings } from "../ports/storage.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `update` takes. */
export interface UpdateSettingsInput {
  /** IANA time zone for display and reports. New workspaces have UTC. */
  timezone?: string | undefined;
  /** Default sender's name, for requests without `from`. */
  defaultSenderName?: string | undefined;
  /** Default sender's address, for requests without `from`; empty for the server's own. */
  defaultSenderEmail?: "" | string | undefined;
  /** Maximum retries of a webhook delivery after the first attempt, 0 to 10. */
  webhookRetryCount?: number | undefined;
  /** Default days until a new API key expires; 0 for never. */
  apiKeyExpiryDays?: number | undefined;
  /** Days after which a domain's signing key is replaced by the next one, once that is published; 0 for never. */
  dkimRotationDays?: number | undefined;
  /**
   * Retention period, in days, of the content of settled e-mails: template values, content and files. Their lines of
   * the log stay. At most the plan's retention period of the log; 0 for the same period.
   */
  contentRetentionDays?: number | undefined;
  /** Whether addresses are suppressed after a hard bounce or a complaint. */
  bounceAutoSuppress?: boolean | undefined;
  /** Whether the workspace may send only from its verified domains. */
  requireVerifiedDomain?: boolean | undefined;
  /**
   * Whether the operator's server delivers mail that none of the workspace's own servers handles. New workspaces:
   * true.
   */
  platformServer?: boolean | undefined;
  /** Whether the opening of e-mails is recorded, unless a send says otherwise. New workspaces: false. */
  trackOpens?: boolean | undefined;
  /** Whether clicks on links in e-mails are recorded, unless a send says otherwise. New workspaces: false. */
  trackClicks?: boolean | undefined;
  /**
   * Whether the full address and user agent of the last opening and click are stored, instead of a part of the
   * address. New workspaces: false.
   */
  trackingDetails?: boolean | undefined;
  /** Whether e-mails with tracked links contain a hidden one that only machines follow. New workspaces: false. */
  trackingTrap?: boolean | undefined;
}

/** Settings of a workspace. */
export interface SettingsVerbs<K extends CallShapes = CallShapes> {
  /** Returns the workspace's settings, for any member (service.md, Workspace settings). */
  get(this: void, input?: NoInput, ...call: K["workspace"]): Promise<Settings>;
  /** Changes the given settings of the workspace and returns all of them (service.md, Workspace settings). */
  update(this: void, input?: UpdateSettingsInput, ...call: K["workspace"]): Promise<Settings>;
}
