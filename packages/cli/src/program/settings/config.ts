import { existsSync, readFileSync } from "node:fs";
import { isJsonObject, nearestName } from "@posthorn/core/internal";
import { textOf } from "../../terminal/text-of.ts";
import { CliError } from "../errors/cli-error.ts";
import { parseEnvironmentFile } from "./parse-environment-file.ts";
import { readSecretFile } from "./read-secret-file.ts";
import { type Setting, secretFileOf } from "./setting.ts";
import { type SettingName, type SettingValues, settings } from "./settings.ts";
import { isUnknownSetting, suggestSetting } from "./unknown-settings.ts";
import { unreadable } from "./unreadable.ts";

const fileName = "posthorn.config.json";

/** Origin of a setting's value. */
export type Origin = "flag" | "env_file" | "environment" | "secret_file" | "file" | "dev" | "default";

export interface LoadedConfig {
  values: SettingValues;
  origins: Record<SettingName, Origin>;
  /** Whether the settings are a development server's, which takes no mail server, database or keys from outside. */
  isDev: boolean;
}

/**
 * Loads the settings: flags take precedence over the file of `--environment-file`, then the environment, then
 * `posthorn.config.json`. A secret may be in a file that its name with `_FILE` names, in place of its value. Those of
 * `flagsOnly` are taken from flags alone; elsewhere they are found, but not read. Throws a usage error that names the
 * setting, its fault and an example.
 */
export function loadConfig(
  flags: Record<string, unknown>,
  env: NodeJS.ProcessEnv = process.env,
  file: Record<string, unknown> = readFile(),
  flagsOnly: readonly SettingName[] = [],
): LoadedConfig {
  const named = flags["environmentFile"] ?? flags["envFile"];
  const envFile = typeof named === "string" ? named : undefined;
  const sources: Sources = { flags, env, file, envFile, fromEnvFile: readEnvFile(envFile) };
  const values: Record<string, unknown> = {};
  const origins: Record<string, Origin> = {};
  for (const [name, setting] of Object.entries(settings) as [SettingName, Setting<unknown>][]) {
    const found = (flagsOnly.includes(name) ? findUnread : find)(name, setting, sources);
    origins[name] = found.origin;
    values[name] = found.text === undefined ? setting.fallback : read(setting, found.label, found.text);
  }
  return { values: values as SettingValues, origins: origins as Record<SettingName, Origin>, isDev: false };
}

interface Sources {
  flags: Record<string, unknown>;
  env: NodeJS.ProcessEnv;
  file: Record<string, unknown>;
  envFile: string | undefined;
  fromEnvFile: NodeJS.Dict<string>;
}

interface Found {
  origin: Origin;
  text?: string;
  /** Names the setting in an error. */
  label: string;
}

function findFlag({ flag }: Setting<unknown>, flags: Record<string, unknown>): Found | undefined {
  const key = flag?.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const given = key === undefined ? undefined : flags[key];
  return given === undefined ? undefined : { origin: "flag", text: String(given), label: `--${flag}` };
}

/** Finds a flag's value; of another place only that it has the setting, whose value may be faulty or out of reach. */
function findUnread(
  name: SettingName,
  setting: Setting<unknown>,
  { flags, env, file, fromEnvFile }: Sources,
): Found {
  const has = (variables: NodeJS.Dict<string>): boolean =>
    [setting.env, secretFileOf(setting)].some((one) => one !== undefined && Boolean(variables[one]));
  const inFile = file[name] == null ? "default" : "file";
  const origin = has(fromEnvFile) ? "env_file" : has(env) ? "environment" : inFile;
  return findFlag(setting, flags) ?? { origin, label: setting.env };
}

function find(
  name: SettingName,
  setting: Setting<unknown>,
  { flags, env, file, envFile, fromEnvFile }: Sources,
): Found {
  const named =
    findFlag(setting, flags) ??
    findVariable(setting, fromEnvFile, "env_file", ` in ${envFile}`) ??
    findVariable(setting, env, "environment");
  if (named !== undefined) return named;
  // `config show --json` writes null for what is unset.
  const stored = file[name] ?? undefined;
  if (stored !== undefined)
    return { origin: "file", text: written(stored, name), label: `${name} in ${fileName}` };
  return { origin: "default", label: setting.env };
}

/** Returns the text of a value in the file: of a list with commas between its items. */
function written(stored: unknown, name: SettingName): string {
  const isPlain = (value: unknown): boolean => value !== null && typeof value !== "object";
  if (isPlain(stored) || (Array.isArray(stored) && stored.every(isPlain))) return String(stored);
  throw new CliError(
    "usage",
    `${name} in ${fileName} must be a text, a number, true or false, or a list of texts.`,
    `An example: {${JSON.stringify(name)}: ${JSON.stringify(settings[name].example)}}`,
  );
}

/** Finds a setting among variables, of which empty ones are as good as unset. `place` is said behind their names. */
function findVariable(
  setting: Setting<unknown>,
  variables: NodeJS.Dict<string>,
  origin: Origin,
  place = "",
): Found | undefined {
  const text = variables[setting.env] || undefined;
  const fileVariable = secretFileOf(setting);
  const path = fileVariable === undefined ? undefined : variables[fileVariable] || undefined;
  if (fileVariable === undefined || path === undefined)
    return text === undefined ? undefined : { origin, text, label: `${setting.env}${place}` };
  if (text !== undefined)
    throw new CliError(
      "usage",
      `Both ${setting.env} and ${fileVariable} are set${place}.`,
      "Keep one: the value, or the file that holds it.",
    );
  const secret = readSecretFile(`${fileVariable}${place}`, path);
  return { origin: "secret_file", text: secret, label: `${setting.env} in ${path}` };
}

function read(setting: Setting<unknown>, label: string, text: string): unknown {
  try {
    return setting.read(text);
  } catch (error) {
    const shown = setting.secret || setting.holdsSecret ? "" : ` (it is ${JSON.stringify(text)})`;
    const { otherExample: other } = setting;
    const example = other?.start.test(text) ? other.example : setting.example;
    throw new CliError(
      "usage",
      `${label} ${(error as Error).message}${shown}.`,
      `An example: ${label.startsWith("--") ? `${label} ` : `${setting.env}=`}${example}`,
    );
  }
}

/**
 * Reads a file of `NAME=value` lines, such as systemd's `EnvironmentFile`, so that commands can use the service's
 * settings.
 */
function readEnvFile(path: string | undefined): NodeJS.Dict<string> {
  if (path === undefined) return {};
  let hint =
    "Name the file with the service's settings, such as --environment-file /etc/posthorn/posthorn.env";
  let content: NodeJS.Dict<string>;
  try {
    const bytes = readFileSync(path);
    // Otherwise a password would be another one: bytes that are no text would all be read as the same character.
    hint = "Save it as UTF-8.";
    const text = textOf(bytes);
    hint = "Write each setting as a line of its own, without export: SERVICE_PORT=8080";
    content = parseEnvironmentFile(text);
  } catch (error) {
    throw unreadable(`--environment-file ${path}`, error, hint);
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
    content = JSON.parse(textOf(readFileSync(fileName)));
  } catch (error) {
    throw new CliError(
      "usage",
      `${fileName} can't be read: ${(error as Error).message}.`,
      "Correct the file, or move it away.",
    );
  }
  if (!isJsonObject(content)) {
    throw new CliError("usage", `${fileName} must contain a JSON object.`, `An example: {"port": 8080}`);
  }
  const unknown = Object.keys(content).filter((name) => !Object.hasOwn(settings, name));
  if (unknown.length > 0) {
    const meant = unknown.map((name) => nearestName(name, Object.keys(settings)));
    throw new CliError(
      "usage",
      `${fileName} has ${namedSettings(unknown.map((name) => `"${name}"`))}.`,
      meant.includes(undefined)
        ? `The settings are: ${Object.keys(settings).join(", ")}.`
        : meant.map((name) => `Did you mean "${name}"?`).join(" "),
    );
  }
  return content as Record<string, unknown>;
}
