import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import {
  createPosthorn,
  type Logger,
  type Mailer,
  type Posthorn,
  type Storage,
  silentLogger,
} from "@posthorn/core";
import type { CaptureMailer } from "@posthorn/mailer-smtp";
import { CliError } from "./cli-error.ts";
import { readDkimKeys } from "./read-dkim-keys.ts";
import { type SettingValues, settings } from "./settings.ts";

/** A service over the configured database and mail server. */
export interface OpenedService {
  posthorn: Posthorn;
  storage: Storage;
  mailer: Mailer;
  /** There where mail is captured instead of sent. */
  inbox: CaptureMailer | undefined;
  close(): Promise<void>;
}

export interface OpenOptions {
  logger?: Logger;
  /** Where the service is reached, when only its listening address tells. */
  baseUrl?: string;
  /** Hears once that the disk failed to keep a commit: the process must end. */
  onFatal?: (error: unknown) => void;
}

/** Opens the configured service and brings its schema up to date. Starts nothing. Throws a `CliError` that says what to do. */
export async function openService(values: SettingValues, options: OpenOptions = {}): Promise<OpenedService> {
  const secretKey = findSecretKey(values);
  const storage = await openStorage(values, options);
  try {
    const { mailer, inbox } = await openMailer(values);
    const posthorn = createService(values, { storage, mailer, secretKey, options });
    await posthorn.migrate();
    return {
      posthorn,
      storage,
      mailer,
      inbox,
      async close() {
        await posthorn.close();
        await mailer.close();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Puts the service together and touches nothing. Throws a usage error that names a setting which it refuses. */
export function createService(
  values: SettingValues,
  parts: { storage: Storage; mailer: Mailer; secretKey: string; options: OpenOptions },
): Posthorn {
  const { storage, mailer, secretKey, options } = parts;
  try {
    return createPosthorn({
      storage,
      mailer,
      secretKey,
      logger: options.logger ?? silentLogger,
      ...defined({
        baseUrl: values.base_url ?? options.baseUrl,
        appUrl: values.app_url,
        defaultSender: values.default_sender,
      }),
      registration: values.registration,
      passwordMinLength: values.password_min_length,
      webhooks: {
        maxRetries: values.webhook_max_retries,
        timeoutSecs: values.webhook_timeout_secs,
        retryBaseSecs: values.webhook_retry_base_secs,
        allowPrivate: values.webhook_allow_private,
      },
      worker: {
        ...defined({ concurrency: values.worker_concurrency }),
        leaseMs: values.worker_lease_secs * 1_000,
        pollMs: Math.min(5_000, values.worker_lease_secs * 500),
      },
    });
  } catch (error) {
    // Nothing is touched here, so it can only be an option.
    const message = (error as Error).message.replace(/^\w+/, (option) => settingOf[option] ?? option);
    throw new CliError("usage", `${message.replace(/\.$/, "")}.`, "See: posthorn config show --origin", {
      cause: error,
    });
  }
}

/** What the service calls its options, as they are set here. */
const settingOf: Partial<Record<string, string>> = {
  baseUrl: settings.base_url.env,
  appUrl: settings.app_url.env,
  defaultSender: settings.default_sender.env,
  secretKey: settings.secret_key.env,
};

/** The path of the SQLite file; `undefined` where the database is another. */
export function sqliteFile(databaseUrl: string): string | undefined {
  if (!databaseUrl.startsWith("sqlite:")) return undefined;
  return databaseUrl.slice("sqlite:".length).replace(/^\/\/(?=\/)/, "");
}

/** Opens the database, and no more. */
export async function openStorage(
  {
    database_url,
    database_listen_url,
  }: Pick<SettingValues, "database_url"> & Partial<Pick<SettingValues, "database_listen_url">>,
  options: OpenOptions = {},
): Promise<Storage> {
  const filename = sqliteFile(database_url);
  try {
    if (filename !== undefined) {
      const { createSqliteStorage } = await import("@posthorn/storage-sqlite");
      return await createSqliteStorage({ filename, ...defined({ onFatal: options.onFatal }) });
    }
    const { createPostgresStorage } = await import("@posthorn/storage-postgres");
    return await createPostgresStorage({
      connectionString: database_url,
      ...defined({ listenConnectionString: database_listen_url }),
      logger: options.logger ?? silentLogger,
    });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      "unavailable",
      `The database can't be opened: ${(error as Error).message}.`,
      "Check SERVICE_DATABASE_URL, then try: posthorn doctor",
      { cause: error },
    );
  }
}

async function openMailer(
  values: SettingValues,
): Promise<{ mailer: Mailer; inbox: CaptureMailer | undefined }> {
  const { createCaptureMailer, createSmtpMailer } = await import("@posthorn/mailer-smtp");
  const dkim = await readDkimKeys(values);
  if (values.smtp_url === undefined) {
    const inbox = createCaptureMailer({
      dkim,
      ...defined({ directory: inboxDirectory(values.database_url) }),
    });
    return { mailer: inbox, inbox };
  }
  try {
    return { mailer: createSmtpMailer({ url: values.smtp_url, dkim }), inbox: undefined };
  } catch (error) {
    throw new CliError(
      "usage",
      `SERVICE_SMTP_URL: ${(error as Error).message}.`,
      "An example: SERVICE_SMTP_URL=smtp://mail.example.com:587",
    );
  }
}

/** Where captured mail is kept, so that every process and the next start see it; in memory for a database that is. */
function inboxDirectory(databaseUrl: string): string | undefined {
  const filename = sqliteFile(databaseUrl);
  if (filename === ":memory:") return undefined;
  return filename === undefined ? "posthorn.inbox" : `${filename.replace(/\.(db|sqlite3?)$/, "")}.inbox`;
}

/** Where the key is kept beside a SQLite file; `undefined` where there is no such file. */
export function secretKeyFile(databaseUrl: string): string | undefined {
  const filename = sqliteFile(databaseUrl);
  if (filename === undefined || filename === ":memory:") return undefined;
  return `${filename.replace(/\.(db|sqlite3?)$/, "")}.secret`;
}

/** The configured key; beside a SQLite file it is made at the first start and kept. */
export function findSecretKey({ secret_key, database_url }: SettingValues): string {
  if (secret_key !== undefined) return secret_key;
  const filename = sqliteFile(database_url);
  if (filename === undefined) {
    throw new CliError(
      "usage",
      "SERVICE_SECRET_KEY is required with PostgreSQL: it encrypts secrets and signs logins, and every process needs the same.",
      'Make one and keep it: export SERVICE_SECRET_KEY="$(openssl rand -base64 48)"',
    );
  }
  const made = randomBytes(48).toString("base64");
  const keyFile = secretKeyFile(database_url);
  if (keyFile === undefined) return made;
  if (!existsSync(keyFile)) {
    try {
      writeFileSync(keyFile, `${made}\n`, { mode: 0o600, flag: "wx" });
    } catch (error) {
      // Another process made it at the same moment.
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
        throw new CliError(
          "failed",
          `The secret key can't be kept in ${keyFile}: ${(error as Error).message}.`,
          "Set SERVICE_SECRET_KEY instead.",
        );
      }
    }
  }
  return readFileSync(keyFile, "utf8").trim();
}

function defined<T extends Record<string, unknown>>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
