import {
  closeSync,
  fchmodSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { textOf } from "../../terminal/text-of.ts";
import { CliError } from "../errors/cli-error.ts";
import { shellWord } from "../verbs/shell-word.ts";
import { linkedFile } from "./linked-file.ts";
import { urlFault } from "./url-fault.ts";

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
  /** Stores what `to` returns for the profile that is stored at that moment, if any. */
  change(name: string, to: (standing: Profile | undefined) => Profile): Promise<Profile>;
  /** Throws `not_found`. */
  remove(name: string): Promise<void>;
}

/** Default path of the profiles: `posthorn/profiles.json` in the user's settings folder. */
export function profilesFile(env: NodeJS.ProcessEnv = process.env, home = homedir): string {
  const { XDG_CONFIG_HOME: given = "" } = env;
  return join(given === "" ? join(homeFolder(home), ".config") : given, "posthorn", "profiles.json");
}

function homeFolder(home: () => string): string {
  try {
    return home();
  } catch (error) {
    throw new CliError(
      "usage",
      "Profiles are kept in the home folder, and this user has none, nor is HOME set.",
      "Set HOME, or XDG_CONFIG_HOME to a folder of your own.",
      { cause: error },
    );
  }
}

export function openProfiles(file: string): Profiles {
  const all = (): Record<string, Profile> => read(file);
  const get = (name: string): Profile => {
    const profile = named(all(), name);
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
    async change(name, to) {
      const changed = await rewrite(file, (profiles) => ({ ...profiles, [name]: to(named(profiles, name)) }));
      return changed[name] as Profile;
    },
    async remove(name) {
      await rewrite(file, (profiles) => {
        get(name);
        return Object.fromEntries(Object.entries(profiles).filter(([one]) => one !== name));
      });
    },
  };
}

/** Returns a profile; `undefined` if none was stored under the name. */
const named = (profiles: Record<string, Profile>, name: string): Profile | undefined =>
  Object.entries(profiles).find(([one]) => one === name)?.[1];

function read(file: string): Record<string, Profile> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return {};
  if (found.isDirectory())
    throw new CliError("usage", `${file} can't be read: it is a folder.`, "Move it away.");
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0)
    throw new CliError(
      "usage",
      `${file} may be read by others, and holds keys.`,
      `Run: chmod 600 ${shellWord(file)}`,
    );
  try {
    const profiles: unknown = JSON.parse(textOf(readFileSync(file)));
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
  return isRecord && Object.values(value).every(isProfile);
}

function isProfile(value: unknown): boolean {
  const { url, api_key, token, expires_at } = Object(value) as Partial<Record<keyof Profile, unknown>>;
  const isText = (field: unknown): boolean => field === undefined || typeof field === "string";
  const isTime = expires_at === undefined || !Number.isNaN(Date.parse(String(expires_at)));
  return typeof url === "string" && URL.canParse(url) && isText(api_key) && isText(token) && isTime;
}

/** How long a command waits for others that change the file. */
const patienceMs = 5_000;

/**
 * Changes the file atomically, after the commands that are changing it; it is never readable for others. The new file is
 * its own lock: it can be created only where there is none. Throws `conflict` if it stays.
 */
async function rewrite<T extends Record<string, Profile>>(
  file: string,
  to: (profiles: Record<string, Profile>) => T,
): Promise<T> {
  const target = linkedFile(file);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const next = `${target}.lock`;
  const descriptor = await create(next);
  try {
    const profiles = to(read(file));
    fchmodSync(descriptor, 0o600);
    writeFileSync(descriptor, `${JSON.stringify(profiles, null, 2)}\n`);
    renameSync(next, target);
    return profiles;
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

async function create(path: string): Promise<number> {
  for (const end = performance.now() + patienceMs; ; await sleep(20)) {
    try {
      return openSync(path, "wx", 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      if (performance.now() > end)
        throw new CliError(
          "conflict",
          `Another command is changing the profiles: there is ${path}.`,
          "If none is running, one was ended midway: remove that file.",
        );
    }
  }
}

/**
 * Returns a server's URL in stored form. Throws a usage error for an invalid one, and for plain HTTP to another
 * machine, which would expose keys.
 */
export function serverUrl(text: string): string {
  const example = "An example: --url https://mail.example.com";
  const isWeb = /^https?:\/\//i.test(text);
  if (isWeb && !URL.canParse(text)) throw new CliError("usage", `--url ${urlFault(text)}.`, example);
  const url = isWeb ? new URL(text) : undefined;
  const isLocal = url !== undefined && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url?.protocol !== "https:" && !(url?.protocol === "http:" && isLocal))
    throw new CliError(
      "usage",
      `--url must begin with https://, or with http:// on this machine (it is ${JSON.stringify(text)}).`,
      example,
    );
  if (url.username !== "" || url.search !== "" || url.hash !== "")
    throw new CliError("usage", "--url must be the server's address alone.", example);
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
}
