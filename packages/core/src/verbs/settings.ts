// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { OutputOf } from "../use-case.ts";
import type { getSettings } from "../use-cases/settings/get-settings.ts";
import type { updateSettings } from "../use-cases/settings/update-settings.ts";
import type { CallShapes, NoInput } from "./call-options.ts";

/** What `update` takes. */
export interface UpdateSettingsInput {
  timezone?: string | undefined;
  defaultSenderName?: string | undefined;
  defaultSenderEmail?: "" | string | undefined;
  webhookRetryCount?: number | undefined;
  apiKeyExpiryDays?: number | undefined;
  bounceAutoSuppress?: boolean | undefined;
  requireVerifiedDomain?: boolean | undefined;
}

/** How a workspace sends. */
export interface SettingsVerbs<K extends CallShapes = CallShapes> {
  /** The workspace's settings, for any member (service.md, Workspace settings). */
  get(input?: NoInput, ...call: K["workspace"]): Promise<OutputOf<typeof getSettings>>;
  /** Changes the given settings of the workspace; answers all of them (service.md, Workspace settings). */
  update(input?: UpdateSettingsInput, ...call: K["workspace"]): Promise<OutputOf<typeof updateSettings>>;
}
