import { getSettings } from "./get-settings.ts";
import { updateSettings } from "./update-settings.ts";

/** Settings of a workspace. */
export const settings = { get: getSettings, update: updateSettings } as const;
