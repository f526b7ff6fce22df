import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Storage } from "@posthorn/core";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { databaseFault } from "../../program/errors/database-fault.ts";
import { toCliError } from "../../program/errors/to-cli-error.ts";
import type { LoadedConfig } from "../../program/settings/config.ts";
import type { SettingValues } from "../../program/settings/settings.ts";
import { findUnknownSettings } from "../../program/settings/unknown-settings.ts";
import { captureUrl } from "../../service/capture-url.ts";
import { openStorage, sqliteFile } from "../../service/database/open-storage.ts";
import { assertSettings } from "../../service/open-service.ts";
import { checkCertificates } from "./check-certificates.ts";
import { checkDisk } from "./check-disk.ts";
import { checkDkim } from "./check-dkim.ts";
import { checkMailServer } from "./check-mail-server.ts";
import { checkOpenFiles } from "./check-open-files.ts";
import { checkPostgres } from "./check-postgres.ts";
import { checkSecretKey } from "./check-secret-key.ts";
import {
  checkApiKeys,
  checkClock,
  checkQueue,
  checkSchema,
  checkWebhooks,
  checkWorkers,
} from "./check-storage.ts";
import { checkWal } from "./check-wal.ts";
import { broken, type Finding, ok, warning } from "./finding.ts";

/** Checks everything the service needs; changes nothing, and creates no file. */
export async function makeChecks(context: CommandContext): Promise<Finding[]> {
  const findings = [checkRuntime()];
  let values: SettingValues;
  try {
    values = context.ownDatabase();
  } catch (error) {
    const hint = error instanceof CliError ? error.hint : undefined;
    return [
      ...findings,
      broken("configuration", (error as Error).message, hint ?? "See: posthorn config show"),
    ];
  }
  const config = context.config();
  findings.push(...(await checkConfiguration(config)), ...(await checkDatabase(values)));
  findings.push(await checkMailServer(values, config.isDev), ...(await checkDkim(values)));
  findings.push(...checkCertificates(values), checkDisk(values));
  return findings;
}

function checkRuntime(): Finding {
  return ok("runtime", `Node ${process.versions.node} on ${process.platform} ${process.arch}`);
}

/** Every setting that is to be looked at: mended one by one, they would take as many runs. */
async function checkConfiguration(config: LoadedConfig): Promise<Finding[]> {
  const name = "configuration";
  const { values, isDev } = config;
  const findings = findUnknownSettings(config).map(({ fault, hint }) => warning(name, fault, hint));
  try {
    await assertSettings(values);
  } catch (error) {
    const { message, hint } = error as CliError;
    findings.unshift(broken(name, message, hint ?? "See: posthorn config show --origin"));
    return findings;
  }
  if (values.default_sender === undefined) {
    findings.push(
      warning(
        name,
        "SERVICE_DEFAULT_SENDER is not set: the service's own e-mails are sent from no-reply@ the base URL's host",
        'Set it: SERVICE_DEFAULT_SENDER="Example <no-reply@example.com>"',
      ),
    );
  }
  const sends = values.smtp_url !== undefined && values.smtp_url !== captureUrl;
  if (sends && values.base_url === undefined) {
    findings.push(
      warning(
        name,
        "SERVICE_BASE_URL is not set: links in e-mails, such as to unsubscribe, lead to an address of this machine",
        "Set it: SERVICE_BASE_URL=https://mail.example.com",
      ),
    );
  }
  if (sends && /^http:/i.test(values.base_url ?? "")) {
    findings.push(
      warning(
        name,
        "SERVICE_BASE_URL is not https: mailbox providers take no unsubscribe links from there, and links with tokens can be read on the way",
        "Put a proxy with TLS in front, and set it: SERVICE_BASE_URL=https://mail.example.com",
      ),
    );
  }
  if (values.webhook_allow_private && !isDev) {
    findings.push(
      warning(
        name,
        "SERVICE_WEBHOOK_ALLOW_PRIVATE is on: webhooks reach into your network",
        "Unset it in production.",
      ),
    );
  }
  return findings.length === 0 ? [ok(name, "every setting is valid")] : findings;
}

/** Rejects if the storage can't work. Of one without tables yet, the schema's check says what creates them. */
async function pingUnlessEmpty(storage: Storage): Promise<void> {
  try {
    await storage.ping();
  } catch (error) {
    // A user without rights sees no tables either.
    if (!(error as Error).message.startsWith("a table of Posthorn is missing")) throw error;
    if ((await storage.migrations()).some(({ appliedAt }) => appliedAt !== undefined)) throw error;
  }
}

async function checkDatabase(values: SettingValues): Promise<Finding[]> {
  const filename = sqliteFile(values.database_url);
  if (filename !== undefined && filename !== ":memory:" && !existsSync(filename)) {
    return [
      warning(
        "database",
        `${filename} does not exist yet`,
        existsSync(dirname(resolve(filename)))
          ? "Create it: posthorn serve, or posthorn migrate"
          : "Create its folder, or correct SERVICE_DATABASE_URL",
      ),
    ];
  }
  let storage: Storage;
  try {
    storage = await openStorage(values);
    await pingUnlessEmpty(storage);
  } catch (error) {
    const { failure, message, hint } = error instanceof CliError ? error : databaseFault(error);
    const fault = broken(
      "database",
      message.replace(/\.$/, ""),
      hint ?? "See: posthorn config show --origin",
    );
    const lacksRights = filename === undefined && failure === "not_allowed";
    return lacksRights ? [fault, ...(await checkPostgres(values))] : [fault];
  }
  const findings = [ok("database", filename ?? "PostgreSQL answers")];
  try {
    // First, as it tells what the checks below may not read.
    if (filename === undefined) findings.push(...(await checkPostgres(values)));
    else findings.push(...(await checkOpenFiles(filename)), await checkWal(filename));
    const schema = await checkSchema(storage);
    findings.push(schema);
    if (schema.state !== "ok") return findings;
    findings.push(...(await checkSecretKey(values, storage)), await checkClock(storage));
    findings.push(await checkWorkers(storage), await checkQueue(storage));
    findings.push(await checkWebhooks(storage), await checkApiKeys(storage));
    return findings;
  } catch (error) {
    const { message, hint } = toCliError(error);
    return [...findings, broken("database", message.replace(/\.$/, ""), hint ?? "See the database's log.")];
  } finally {
    await storage.close();
  }
}
