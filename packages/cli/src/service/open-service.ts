import { createPosthorn, type Logger, type Mailer, type Posthorn, type Storage } from "@posthorn/core";
import type { CaptureMailer } from "@posthorn/mailer-smtp";
import { CliError } from "../program/errors/cli-error.ts";
import { databaseFault } from "../program/errors/database-fault.ts";
import { type SettingValues, settings } from "../program/settings/settings.ts";
import { defined } from "../program/verbs/defined.ts";
import { assertSchema, migrateStorage, openStorage, placeOf } from "./database/open-storage.ts";
import { type MailUse, openMailer } from "./open-mailer.ts";
import {
  createSecretKey,
  findSecretKey,
  secretKeyFile,
  takeSecretKey,
  wrongKey,
} from "./secrets/secret-key.ts";
import { type ServiceParts, serviceOptions } from "./service-options.ts";

/** A service on the configured database and mail server. */
export interface OpenedService {
  posthorn: Posthorn;
  storage: Storage;
  mailer: Mailer;
  /** Present if mail is captured instead of sent. */
  inbox: CaptureMailer | undefined;
  close(): Promise<void>;
}

export interface OpenOptions {
  /**
   * Permitted changes of the database. Default: none, so that it must exist with this version's schema. `"migrate"`
   * updates its schema; `"make"` also creates a SQLite file.
   */
  database?: "migrate" | "make";
  /** How the command uses mail. Default: not at all. */
  mail?: MailUse;
  logger?: Logger;
  /** URL of the service, if only its listening address determines it. */
  baseUrl?: string;
  /** Lock for writes to a SQLite file, shared by the threads of this process. */
  writeTurns?: SharedArrayBuffer | undefined;
  /** Called once if the disk failed to store a commit: the process must end. */
  onFatal?: (error: unknown) => void;
}

/** Opens the configured service, without starting it. Throws a `CliError` that says what to do. */
export async function openService(values: SettingValues, options: OpenOptions = {}): Promise<OpenedService> {
  await assertSettings(values, options);
  const storage = await openStorage(values, {
    make: options.database === "make",
    migrates: options.database !== undefined,
    ...defined({ logger: options.logger, onFatal: options.onFatal, writeTurns: options.writeTurns }),
  });
  try {
    if (options.database === undefined) await assertSchema(storage, values.database_url);
    else await migrateStorage(storage, values.database_url);
    const secretKey = await takeSecretKey(values, storage);
    const { mailer, inbox } = await openMailer(values, options.mail);
    const posthorn = createService(values, { storage, mailer, secretKey, options });
    if (options.database === undefined) await posthorn.checkSecretKey();
    else await posthorn.migrate();
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
    if (!(error instanceof Error)) throw error;
    if (error.name === "SecretKeyMismatch") throw wrongKey(values, error);
    if (error.name === "IncompleteCopy")
      throw new CliError(
        "conflict",
        `${placeOf(values.database_url)} is a copy that was interrupted: rows are missing.`,
        "Run posthorn copy again: it continues.",
      );
    if (error.name === "StorageUnavailable") throw databaseFault(error, placeOf(values.database_url));
    throw error;
  }
}

const neverAsked: Partial<Storage> = {
  transaction: () => Promise.reject(new Error("the settings are tried without a storage")),
  within() {
    throw new Error("the settings are tried without a storage");
  },
};

/**
 * Creates a service on a storage that is never used, so that a fault in a setting is reported before anything is
 * touched.
 */
export async function assertSettings(values: SettingValues, options: OpenOptions = {}): Promise<void> {
  const { mailer } = await openMailer(values, options.mail === "deliver" ? "try" : undefined);
  const secretKey = findSecretKey(values) ?? createSecretKey();
  const service = createService(values, { storage: neverAsked as Storage, mailer, secretKey, options });
  await service.close();
}

/** Creates the service without touching anything. Throws a usage error that names the setting which it refuses. */
export function createService(
  values: SettingValues,
  { options, ...parts }: ServiceParts & { options: OpenOptions },
): Posthorn {
  const configured = serviceOptions(values, { ...options, ...parts });
  try {
    return createPosthorn(configured);
  } catch (error) {
    // Nothing is touched here, so the fault must be in an option.
    const message = (error as Error).message
      .replace(/^\w+/, (option) => settingOf[option] ?? option)
      .replace(/^(\w+): \1\b/, "$1");
    // A key that nobody set is read from its file.
    const keyFile = values.secret_key === undefined ? secretKeyFile(values.database_url) : undefined;
    if (keyFile !== undefined && message.startsWith(settings.secret_key.env))
      throw wrongKey(values, error, message.slice(settings.secret_key.env.length));
    throw new CliError("usage", `${message.replace(/\.$/, "")}.`, "See: posthorn config show --origin", {
      cause: error,
    });
  }
}

/** Settings by the names of the service's options. */
const settingOf: Partial<Record<string, string>> = {
  workspace: settings.single_workspace.env,
  baseUrl: settings.base_url.env,
  appUrl: settings.app_url.env,
  defaultSender: settings.default_sender.env,
  secretKey: settings.secret_key.env,
  formerSecretKeys: settings.former_secret_keys.env,
  spfInclude: settings.spf_include.env,
  returnPathDomain: settings.return_path_domain.env,
  inboundHost: settings.inbound_host.env,
  trackingHost: settings.tracking_host.env,
  bounceRules: settings.bounce_rules.env,
};
