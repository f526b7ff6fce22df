import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CliError } from "../errors/cli-error.ts";

/** A server that commands use instead of a database, with credentials. */
export interface Profile {
  /** URL of the server, without `/api/v1`. */
  url: string;
  /** API key of a workspace, for its e-mails. */
  api_key?: string;
  /** Token of a login, for all other routes. */
  token?: string;
  /** Expiry of the login, ISO 8601. */
  expires_at?: string;
}

/** Profiles by name, in a file that only its owner can read. */
export interface Profiles {
  file: string;
  /** Returns a profile. Throws `not_found`. */
  get(name: string): Profile;
  all(): Record<string, Profile>;
  set(name: string, profile: Profile): void;
  /** Throws `not_found`. */
  remove(name: string): void;
}

/** Default path of the profiles: `posthorn/profiles.json` in the user's settings folder. */
export function profilesFile(env: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CONFIG_HOME: given = "" } = env;
  return join(given === "" ? join(homedir(), ".config") : given, "posthorn", "profiles.json");
}

export function openProfiles(file: string): Profiles {
  const all = (): Record<string, Profile> => read(file);
  const get = (name: string): Profile => {
    const profile = Object.entries(all()).find(([one]) => one === name)?.[1];
    if (profile === undefined)
      throw new CliError(
        "not_found",
        `There is no profile "${name}".`,
        "See them with: posthorn profiles. Make one: posthorn profiles add --help",
      );
    return profile;
  };
  return {
    file,
    all,
    get,
    set: (name, profile) => write(file, { ...all(), [name]: profile }),
    remove(name) {
      get(name);
      write(file, Object.fromEntries(Object.entries(all()).filter(([one]) => one !== name)));
    },
  };
}

function read(file: string): Record<string, Profile> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return {};
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0)
    throw new CliError("usage", `${file} may be read by others, and holds keys.`, `Run: chmod 600 ${file}`);
  try {
    const profiles: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (isProfiles(profiles)) return profiles;
  } catch (error) {
    throw new CliError(
      "usage",
      `${file} can't be read: ${(error as Error).message}.`,
      "Correct it, or move it away.",
    );
  }
  throw new CliError("usage", `${file} does not contain profiles.`, "Correct it, or move it away.");
}

function isProfiles(value: unknown): value is Record<string, Profile> {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord && Object.values(value).every((one) => typeof (one as Profile | null)?.url === "string");
}

/** Writes the file atomically; it is never readable for others. */
function write(file: string, profiles: Record<string, Profile>): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const partial = `${file}.${process.pid}.partial`;
  writeFileSync(partial, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
  chmodSync(partial, 0o600);
  renameSync(partial, file);
}

/**
 * Returns a server's URL in stored form. Throws a usage error for an invalid one, and for plain HTTP to another
 * machine, which would expose keys.
 */
export function serverUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url?.protocol !== "https:" && !(url?.protocol === "http:" && isLocal))
    throw new CliError(
      "usage",
      `--url must begin with https://, or with http:// on this machine (it is ${JSON.stringify(text)}).`,
      "An example: --url https://mail.example.com",
    );
  if (url.username !== "" || url.search !== "" || url.hash !== "")
    throw new CliError(
      "usage",
      "--url must be the server's address alone.",
      "An example: --url https://mail.example.com",
    );
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
}
