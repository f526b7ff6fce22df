import type { LoadedConfig } from "../../program/settings/config.ts";
import type { Setting } from "../../program/settings/setting.ts";
import { type SettingName, settings } from "../../program/settings/settings.ts";
import { captureUrl } from "../../service/capture-url.ts";
import { readKept } from "./read-kept.ts";

/** Folder of `posthorn dev`, in the current folder. */
export const devFolder = ".posthorn";

/** Settings for servers that really send mail: a development server takes them from flags only. */
export const ofProduction = [
  "database_url",
  "database_listen_url",
  "secret_key",
  "former_secret_keys",
  "smtp_url",
  "dkim_domain",
  "dkim_keys",
  "base_url",
  "app_url",
  "host",
  "inbound_listen_host",
  "metrics_host",
] as const satisfies SettingName[];

/**
 * Sets up a development server: its own database and captured mail, whatever the environment says. Returns the names of
 * ignored settings.
 */
export function useDevSettings(config: LoadedConfig): string[] {
  const { values, origins } = config;
  const unheeded = ofProduction.filter((name) => !["flag", "default"].includes(origins[name]));
  const fresh: Partial<Record<SettingName, unknown>> = values;
  for (const name of unheeded) {
    const { fallback }: Setting<unknown> = settings[name];
    fresh[name] = fallback;
    origins[name] = "default";
  }
  const setUp = <Name extends SettingName>(name: Name, value: LoadedConfig["values"][Name]): void => {
    values[name] = value;
    origins[name] = "dev";
  };
  if (origins.database_url !== "flag") setUp("database_url", `sqlite:./${devFolder}/dev.db`);
  setUp("smtp_url", captureUrl);
  setUp("webhook_allow_private", true);
  setUp("registration", "open");
  if (values.default_sender === undefined) setUp("default_sender", "Posthorn <dev@posthorn.example>");
  config.isDev = true;
  return [
    ...unheeded.map((name) => settings[name].env),
    ...(process.env["SERVICE_PROFILE"] ? ["SERVICE_PROFILE"] : []),
  ];
}

/** Sets up a command for the development server's database: its links lead to that server, at the address it had last. */
export function useDevServer(config: LoadedConfig): void {
  useDevSettings(config);
  const { values, origins } = config;
  const { url } = origins.database_url === "flag" ? {} : readKept(`${devFolder}/dev.json`);
  if (values.base_url !== undefined || url === undefined) return;
  values.base_url = url;
  origins.base_url = "dev";
}
