import type { LoadedConfig } from "../../program/settings/config.ts";
import type { Setting } from "../../program/settings/setting.ts";
import { type SettingName, settings } from "../../program/settings/settings.ts";
import { captureUrl } from "../../service/capture-url.ts";
import { readKept } from "./read-kept.ts";

/** Folder of `posthorn dev`, in the current folder. */
export const devFolder = ".posthorn";

/** Settings for servers that really send mail: a development server takes them from flags only. */
const ofProduction = [
  "database_url",
  "database_listen_url",
  "secret_key",
  "smtp_url",
  "dkim_domain",
  "dkim_keys",
  "base_url",
  "app_url",
  "host",
] as const satisfies SettingName[];

/**
 * Sets up a development server: its own database and captured mail, whatever the environment says. Returns the names of
 * ignored settings.
 */
export function useDevSettings({ values, origins }: LoadedConfig): string[] {
  const unheeded = ofProduction.filter((name) => !["flag", "default"].includes(origins[name]));
  const fresh: Partial<Record<SettingName, unknown>> = values;
  for (const name of unheeded) {
    const { fallback }: Setting<unknown> = settings[name];
    fresh[name] = fallback;
    origins[name] = "default";
  }
  if (origins.database_url !== "flag") values.database_url = `sqlite:./${devFolder}/dev.db`;
  values.smtp_url = captureUrl;
  values.webhook_allow_private = true;
  values.registration = "open";
  values.default_sender ??= "Posthorn <dev@posthorn.example>";
  return unheeded.map((name) => settings[name].env);
}

/** Sets up a command for the development server's database: its links lead to that server, at the address it had last. */
export function useDevServer(config: LoadedConfig): void {
  useDevSettings(config);
  if (config.origins.database_url !== "flag")
    config.values.base_url ??= readKept(`${devFolder}/dev.json`).url;
}
