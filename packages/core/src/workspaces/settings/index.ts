import { getSettings } from "./get-settings.ts";
import { updateSettings } from "./update-settings.ts";

/** How a workspace sends. */
export const settings = { get: getSettings, update: updateSettings } as const;
