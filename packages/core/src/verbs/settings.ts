// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { Settings } from "../ports/storage/workspaces.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `update` takes. */
export interface UpdateSettingsInput {
  /** IANA time zone of what is displayed and reported. New workspaces have UTC. */
  timezone?: string | undefined;
  /** Sender's name where a send gives none. */
  defaultSenderName?: string | undefined;
  /** Sender's address where a send gives none; empty for the server's own. */
  defaultSenderEmail?: "" | string | undefined;
  /** Retries of a webhook delivery after the first attempt, 0 to 10. */
  webhookRetryCount?: number | undefined;
  /** Days that a new API key lives where none are given; 0 is for ever. */
  apiKeyExpiryDays?: number | undefined;
  /** Days after which the key that signs a domain's mail gives way to the next, once that is published; 0 is never. */
  dkimRotationDays?: number | undefined;
  /**
   * Days after which what settled e-mails said is removed: values, content and files. Their lines of the log stay. At
   * most the plan's days of the log; 0 is as long as those.
   */
  contentRetentionDays?: number | undefined;
  /** Whether an address that bounces for good or complains is suppressed. */
  bounceAutoSuppress?: boolean | undefined;
  /** Whether mail goes only from the workspace's verified domains. */
  requireVerifiedDomain?: boolean | undefined;
  /**
   * Whether mail that none of the workspace's own servers is there for goes through the operator's. New workspaces:
   * true.
   */
  platformServer?: boolean | undefined;
}

/** How a workspace sends. */
export interface SettingsVerbs<K extends CallShapes = CallShapes> {
  /** The workspace's settings, for any member (service.md, Workspace settings). */
  get(input?: NoInput, ...call: K["workspace"]): Promise<Settings>;
  /** Changes the given settings of the workspace; answers all of them (service.md, Workspace settings). */
  update(input?: UpdateSettingsInput, ...call: K["workspace"]): Promise<Settings>;
}
