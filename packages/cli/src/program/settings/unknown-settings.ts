import { nearestName } from "@posthorn/core/internal";
import { secretFileOf } from "./setting.ts";
import { settings } from "./settings.ts";

/** Every name that the command reads. A profile is no setting: `posthorn.config.json` can't name it. */
const known: readonly string[] = [
  ...Object.values(settings).flatMap((setting) => [setting.env, secretFileOf(setting) ?? setting.env]),
  "SERVICE_PROFILE",
];

/** Whether a name begins as those of settings do, and is none of them. */
export const isUnknownSetting = (name: string): boolean =>
  name.startsWith("SERVICE_") && !known.includes(name);

/** A variable of the environment that looks like a setting. */
interface UnknownSetting {
  fault: string;
  hint: string;
}

/**
 * Returns the variables of the environment that are set and look like settings without being any. They are no error,
 * because other programs use such names too.
 */
export const findUnknownSettings = (env: NodeJS.ProcessEnv = process.env): UnknownSetting[] =>
  Object.keys(env)
    .filter((name) => env[name] !== "" && isUnknownSetting(name))
    .map((name) => ({
      fault: `${name} in the environment is no setting, and is ignored`,
      hint: suggestSetting(name),
    }));

/** Warns of each of them. */
export function warnOfUnknownSettings({ warn }: { warn(text: string): void }): void {
  for (const { fault, hint } of findUnknownSettings()) warn(`${fault}. ${hint}`);
}

/** Returns a sentence that names the setting nearest to a name, if one is near enough to be meant. */
export function suggestSetting(name: string): string {
  const meant = nearestName(name, known);
  return meant === undefined
    ? "See the settings that there are: posthorn config show --origin"
    : `Did you mean ${meant}?`;
}
