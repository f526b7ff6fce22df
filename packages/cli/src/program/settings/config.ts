import { existsSync, readFileSync } from "node:fs";
import { CliError } from "../errors/cli-error.ts";
import { parseEnvironmentFile } from "./parse-environment-file.ts";
import type { Setting } from "./setting.ts";
import { type SettingName, type SettingValues, settings } from "./settings.ts";
import { isUnknownSetting, suggestSetting } from "./unknown-settings.ts";

const fileName = "posthorn.config.json";

/** Origin of a setting's value. */
export type Origin = "flag" | "env_file" | "environment" | "file" | "default";

export interface LoadedConfig {
  values: SettingValues;
  origins: Record<SettingName, Origin>;
}

/**
 * Loads the settings: flags take precedence over the file of `--environment-file`, then the environment, then
 * `posthorn.config.json`. Throws a usage error that names the setting, its fault and an example.
 */
export function loadConfig(
  flags: Record<string, unknown>,
  env: NodeJS.ProcessEnv = process.env,
  file: Record<string, unknown> = readFile(),
): LoadedConfig {
  const named = flags["environmentFile"] ?? flags["envFile"];
  const envFile = typeof named === "string" ? named : undefined;
  const sources: Sources = { flags, env, file, envFile, fromEnvFile: readEnvFile(envFile) };
  const values: Record<string, unknown> = {};
  const origins: Record<string, Origin> = {};
  for (const [name, setting] of Object.entries(settings) as [SettingName, Setting<unknown>][]) {
    const found = find(name, setting, sources);
    origins[name] = found.origin;
    values[name] = found.text === undefined ? setting.fallback : read(setting, found.label, found.text);
  }
  return { values: values as SettingValues, origins: origins as Record<SettingName, Origin> };
}

interface Sources {
  flags: Record<string, unknown>;
  env: NodeJS.ProcessEnv;
  file: Record<string, unknown>;
  envFile: string | undefined;
  fromEnvFile: NodeJS.Dict<string>;
}

function find(
  name: SettingName,
  setting: Setting<unknown>,
  { flags, env, file, envFile, fromEnvFile }: Sources,
): { origin: Origin; text?: string; label: string } {
  const key = setting.flag?.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const given = key === undefined ? undefined : flags[key];
  if (given !== undefined) return { origin: "flag", text: String(given), label: `--${setting.flag}` };
  const kept = fromEnvFile[setting.env];
  if (kept !== undefined && kept !== "")
    return { origin: "env_file", text: kept, label: `${setting.env} in ${envFile}` };
  const inherited = env[setting.env];
  if (inherited !== undefined && inherited !== "")
    return { origin: "environment", text: inherited, label: setting.env };
  if (file[name] !== undefined)
    return { origin: "file", text: String(file[name]), label: `${name} in ${fileName}` };
  return { origin: "default", label: setting.env };
}

function read(setting: Setting<unknown>, label: string, text: string): unknown {
  try {
    return setting.read(text);
  } catch (error) {
    const shown = setting.secret || setting.holdsSecret ? "" : ` (it is ${JSON.stringify(text)})`;
    throw new CliError(
      "usage",
      `${label} ${(error as Error).message}${shown}.`,
      `An example: ${setting.env}=${setting.example}`,
    );
  }
}

/**
 * Reads a file of `NAME=value` lines, such as systemd's `EnvironmentFile`, so that commands can use the service's
 * settings.
 */
function readEnvFile(path: string | undefined): NodeJS.Dict<string> {
  if (path === undefined) return {};
  let content: NodeJS.Dict<string>;
  try {
    content = parseEnvironmentFile(readFileSync(path, "utf8"));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const because: Partial<Record<string, string>> = {
      ENOENT: "there is no such file",
      EACCES: "this user may not read it",
      EISDIR: "it is a folder",
    };
    throw new CliError(
      code === "ENOENT" ? "not_found" : code === "EACCES" ? "not_allowed" : "usage",
      `--environment-file ${path} can't be read: ${because[code ?? ""] ?? message}.`,
      "Name the file with the service's settings, such as --environment-file /etc/posthorn/posthorn.env",
    );
  }
  const unknown = Object.keys(content).filter(isUnknownSetting);
  if (unknown.length > 0)
    throw new CliError(
      "usage",
      `${path} has ${namedSettings(unknown)}.`,
      [...new Set(unknown.map(suggestSetting))].join(" "),
    );
  if (content["SERVICE_PROFILE"])
    throw new CliError(
      "usage",
      `${path} can't name a profile: it would be ignored.`,
      "Give --profile, or set SERVICE_PROFILE in the environment.",
    );
  return content;
}

/** All of them at once: mended one by one, they would take as many runs. */
const namedSettings = (names: readonly string[]): string =>
  names.length === 1 ? `an unknown setting ${names[0]}` : `unknown settings: ${names.join(", ")}`;

function readFile(): Record<string, unknown> {
  if (!existsSync(fileName)) return {};
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(fileName, "utf8"));
  } catch (error) {
    throw new CliError(
      "usage",
      `${fileName} can't be read: ${(error as Error).message}.`,
      "Correct the file, or move it away.",
    );
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new CliError("usage", `${fileName} must contain a JSON object.`, `An example: {"port": 8080}`);
  }
  const unknown = Object.keys(content).filter((name) => !Object.hasOwn(settings, name));
  if (unknown.length > 0) {
    throw new CliError(
      "usage",
      `${fileName} has ${namedSettings(unknown.map((name) => `"${name}"`))}.`,
      `The settings are: ${Object.keys(settings).join(", ")}.`,
    );
  }
  return content as Record<string, unknown>;
}
