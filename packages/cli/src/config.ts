import { existsSync, readFileSync } from "node:fs";
import { CliError } from "./cli-error.ts";
import { type Setting, type SettingName, type SettingValues, settings } from "./settings.ts";

const fileName = "posthorn.config.json";

/** Where a setting's value came from. */
export type Origin = "flag" | "environment" | "file" | "default";

export interface LoadedConfig {
  values: SettingValues;
  origins: Record<SettingName, Origin>;
}

/** Flags over environment over `posthorn.config.json` (decisions §12). Throws a usage error that names the setting, its fault and an example. */
export function loadConfig(
  flags: Record<string, unknown>,
  env: NodeJS.ProcessEnv = process.env,
  file: Record<string, unknown> = readFile(),
): LoadedConfig {
  const values: Record<string, unknown> = {};
  const origins: Record<string, Origin> = {};
  for (const [name, setting] of Object.entries(settings) as [SettingName, Setting<unknown>][]) {
    const found = find(name, setting, { flags, env, file });
    origins[name] = found.origin;
    values[name] = found.text === undefined ? setting.fallback : read(setting, found.label, found.text);
  }
  return { values: values as SettingValues, origins: origins as Record<SettingName, Origin> };
}

interface Sources {
  flags: Record<string, unknown>;
  env: NodeJS.ProcessEnv;
  file: Record<string, unknown>;
}

function find(
  name: SettingName,
  setting: Setting<unknown>,
  { flags, env, file }: Sources,
): { origin: Origin; text?: string; label: string } {
  const key = setting.flag?.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const given = key === undefined ? undefined : flags[key];
  if (given !== undefined) return { origin: "flag", text: String(given), label: `--${setting.flag}` };
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
    const shown = setting.secret ? "" : ` (it is ${JSON.stringify(text)})`;
    throw new CliError(
      "usage",
      `${label} ${(error as Error).message}${shown}.`,
      `An example: ${setting.env}=${setting.example}`,
    );
  }
}

function readFile(): Record<string, unknown> {
  if (!existsSync(fileName)) return {};
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(fileName, "utf8"));
  } catch (error) {
    throw new CliError(
      "usage",
      `${fileName} can't be read: ${(error as Error).message}.`,
      "Mend the file, or move it away.",
    );
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    throw new CliError("usage", `${fileName} must hold an object.`, `An example: {"port": 8080}`);
  }
  const unknown = Object.keys(content).find((name) => !Object.hasOwn(settings, name));
  if (unknown !== undefined) {
    throw new CliError(
      "usage",
      `${fileName} has an unknown setting "${unknown}".`,
      `The settings are: ${Object.keys(settings).join(", ")}.`,
    );
  }
  return content as Record<string, unknown>;
}
