import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { SecretKeyMismatch, Storage } from "@posthorn/core";
import { CliError } from "../../program/errors/cli-error.ts";
import type { SettingValues } from "../../program/settings/settings.ts";
import { placeOf, sqliteFile } from "../database/open-storage.ts";

type KeySettings = Pick<SettingValues, "secret_key" | "database_url">;

/** Creates a new key: 48 random bytes in base64, as many as the digest of key derivation has. */
export const createSecretKey = (): string => randomBytes(48).toString("base64");

/** Path of the key beside a SQLite file; `undefined` without such a file. */
export function secretKeyFile(databaseUrl: string): string | undefined {
  const filename = sqliteFile(databaseUrl);
  if (filename === undefined || filename === ":memory:") return undefined;
  return `${filename.replace(/\.(db|sqlite3?)$/, "")}.secret`;
}

/** Returns the configured or stored key; `undefined` if there is none yet. Throws a usage error if one is required. */
export function findSecretKey({ secret_key, database_url }: KeySettings): string | undefined {
  if (secret_key !== undefined) return secret_key;
  if (sqliteFile(database_url) === undefined)
    throw new CliError(
      "usage",
      "SERVICE_SECRET_KEY is required with PostgreSQL: it encrypts secrets and signs logins, and every process needs the same.",
      'Make one and keep it: export SERVICE_SECRET_KEY="$(openssl rand -base64 48)"',
    );
  const keyFile = secretKeyFile(database_url);
  if (keyFile === undefined || !existsSync(keyFile)) return undefined;
  try {
    return readFileSync(keyFile, "utf8").trim();
  } catch (error) {
    throw new CliError(
      "not_allowed",
      `The secret key in ${resolve(keyFile)} can't be read: ${(error as Error).message}.`,
      "Run the command as the user that the service runs as.",
    );
  }
}

/**
 * Returns the key for a database. It is created only for a database never used with one: a new key can't decrypt what a
 * lost one encrypted.
 */
export async function takeSecretKey(values: KeySettings, storage: Storage): Promise<string> {
  if (findSecretKey(values) === undefined) {
    const keyFile = secretKeyFile(values.database_url);
    const used = keyFile !== undefined && (await storage.operations.findFact("secret_key")) !== undefined;
    if (used) throw lost(values.database_url, keyFile);
  }
  return findOrMakeSecretKey(values);
}

/** Returns the configured or stored key; creates one beside a SQLite file. */
export function findOrMakeSecretKey(values: KeySettings): string {
  const known = findSecretKey(values);
  if (known !== undefined) return known;
  const keyFile = secretKeyFile(values.database_url);
  if (keyFile === undefined) return createSecretKey();
  try {
    storeSecretKey(keyFile, createSecretKey());
  } catch (error) {
    throw new CliError(
      "failed",
      `The secret key can't be stored in ${resolve(keyFile)}: ${(error as Error).message}.`,
      "Set SERVICE_SECRET_KEY instead.",
    );
  }
  return findSecretKey(values) ?? createSecretKey();
}

/**
 * Stores a key unless another process has stored one meanwhile. The file appears with its content: another process, or
 * the next start after a full disk, would take an empty one for a wrong key.
 */
function storeSecretKey(keyFile: string, key: string): void {
  const written = `${keyFile}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    // The database is on the disk with each commit, and without the key its secrets would be lost to a power failure.
    writeFileSync(written, `${key}\n`, { mode: 0o600, flag: "wx", flush: true });
    try {
      linkSync(written, keyFile);
    } catch {
      // It is there already, or this file system has no links.
      if (!existsSync(keyFile)) renameSync(written, keyFile);
    }
  } finally {
    rmSync(written, { force: true });
  }
}

function lost(databaseUrl: string, keyFile: string): CliError {
  return new CliError(
    "conflict",
    `${placeOf(databaseUrl)} was created with a secret key, and there is none in SERVICE_SECRET_KEY or ${resolve(keyFile)}.`,
    "Put the former key back in one of the two. To replace it, or lost for good? See: posthorn config replace-secret-key --help",
  );
}

/** Names the place of the key in use: the setting, or the file beside the database. */
export function placeOfKey({ secret_key, database_url }: KeySettings): string {
  const keyFile = secretKeyFile(database_url);
  return secret_key !== undefined || keyFile === undefined ? "SERVICE_SECRET_KEY" : resolve(keyFile);
}

/** What to do without the database's key. */
export const putBack =
  "Put the former key back. To replace it, or lost for good? See: posthorn config replace-secret-key --help";

/** Creates the error for a key that is not the database's, or can't be anyone's. */
export function wrongKey(
  values: KeySettings,
  cause: unknown,
  fault = " is not the one that the database was created with: it can't decrypt the secrets inside",
): CliError {
  const { reason }: Partial<SecretKeyMismatch> = cause instanceof Error ? cause : {};
  if (reason === "interrupted")
    return new CliError(
      "conflict",
      `A replacement of the secret key of ${placeOf(values.database_url).replace(/^The/, "the")} was interrupted.`,
      "Run it again with the same keys: posthorn config replace-secret-key",
      { cause },
    );
  if (reason === "former_key")
    return new CliError(
      "conflict",
      `The secret key in ${placeOfKey(values)} is not yet that of ${placeOf(values.database_url).replace(/^The/, "the")}, which is one of SERVICE_FORMER_SECRET_KEYS.`,
      "Stop every process, and replace it: posthorn config replace-secret-key",
      { cause },
    );
  return new CliError(
    "conflict",
    `The secret key in ${placeOfKey(values)}${fault.replace(/\.$/, "")}.`,
    putBack,
    { cause },
  );
}
