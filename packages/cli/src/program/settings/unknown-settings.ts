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

/** What is asked of the settings in force: the origin of each, and whether they are a development server's. */
interface SettingsInForce {
  origins: Readonly<Record<string, string>>;
  isDev: boolean;
}

/**
 * Returns the variables of the environment that are set and look like settings without being any. They are no error,
 * because other programs use such names too. A setting that has no value may be meant by a variable without its prefix;
 * not so beside a development server, which has a database and a mailer of its own: there it is the application's.
 */
export const findUnknownSettings = (
  { origins, isDev }: SettingsInForce,
  env: NodeJS.ProcessEnv = process.env,
): UnknownSetting[] =>
  Object.keys(env)
    .filter((name) => env[name] !== "")
    .flatMap((name) => {
      if (isUnknownSetting(name))
        return {
          fault: `${name} in the environment is no setting, and is ignored`,
          hint: suggestSetting(name),
        };
      const meant = isDev ? undefined : settingWithoutPrefix(name, origins);
      if (meant === undefined) return [];
      return { fault: `${name} in the environment is ignored`, hint: `The setting is called ${meant}.` };
    });

/**
 * Finds the unset setting that `SMTP_URL` or `POSTHORN_SMTP_URL` may mean. Not by one word, nor by a port: shells set
 * `HOST`, and Kubernetes `POSTHORN_PORT` and `METRICS_PORT`, for purposes of their own.
 */
function settingWithoutPrefix(name: string, origins: Readonly<Record<string, string>>): string | undefined {
  const words = name.replace(/^POSTHORN_/, "");
  if (!words.includes("_") || words.endsWith("_PORT")) return undefined;
  const setting = words.replace(/_FILE$/, "").toLowerCase();
  return origins[setting] === "default" && known.includes(`SERVICE_${words}`)
    ? `SERVICE_${words}`
    : undefined;
}

/** Warns of each of them. */
export function warnOfUnknownSettings({ warn }: { warn(text: string): void }, config: SettingsInForce): void {
  for (const { fault, hint } of findUnknownSettings(config)) warn(`${fault}. ${hint}`);
}

/** Returns a sentence that names the setting nearest to a name, if one is near enough to be meant. */
export function suggestSetting(name: string): string {
  const meant = nearestName(name, known);
  return meant === undefined
    ? "See the settings that there are: posthorn config show --origin"
    : `Did you mean ${meant}?`;
}
