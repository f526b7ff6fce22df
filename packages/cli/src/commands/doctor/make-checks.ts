import { existsSync, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Storage } from "@posthorn/core";
import type { CommandContext } from "../../command-context.ts";
import { openStorage, secretKeyFile, sqliteFile } from "../../open-service.ts";
import type { SettingValues } from "../../settings.ts";
import { checkMailServer } from "./check-mail-server.ts";
import { checkClock, checkQueue, checkSchema, checkWorkers } from "./check-storage.ts";
import { broken, type Finding, ok, warning } from "./finding.ts";

/** Looks at everything the service needs; changes nothing, and makes no file. */
export async function makeChecks(context: CommandContext): Promise<Finding[]> {
  const findings = [checkRuntime()];
  let values: SettingValues;
  try {
    values = context.config().values;
  } catch (error) {
    return [...findings, broken("configuration", (error as Error).message, "See: posthorn config show")];
  }
  findings.push(checkConfiguration(values), ...(await checkDatabase(values)));
  findings.push(await checkMailServer(values), checkDisk(values));
  return findings;
}

function checkRuntime(): Finding {
  return ok("runtime", `Node ${process.versions.node} on ${process.platform} ${process.arch}`);
}

/** Bytes of entropy can't be measured, but a short key is surely weak. */
const shortestKey = 32;

function checkConfiguration(values: SettingValues): Finding {
  const name = "configuration";
  const keyFile = secretKeyFile(values.database_url);
  if (
    values.secret_key === undefined &&
    keyFile === undefined &&
    sqliteFile(values.database_url) === undefined
  ) {
    return broken(
      name,
      "SERVICE_SECRET_KEY is not set, and PostgreSQL needs it",
      'Make one and keep it: export SERVICE_SECRET_KEY="$(openssl rand -base64 48)"',
    );
  }
  if (values.secret_key !== undefined && values.secret_key.length < shortestKey) {
    return broken(
      name,
      "SERVICE_SECRET_KEY is shorter than 32 characters",
      "Make one: openssl rand -base64 48",
    );
  }
  if (values.default_sender === undefined) {
    return warning(
      name,
      "SERVICE_DEFAULT_SENDER is not set: the service's own mails come from no-reply@ the base URL's host",
      'Set it: SERVICE_DEFAULT_SENDER="Example <no-reply@example.com>"',
    );
  }
  if (values.webhook_allow_private) {
    return warning(
      name,
      "SERVICE_WEBHOOK_ALLOW_PRIVATE is on: webhooks reach into your network",
      "Unset it in production.",
    );
  }
  return ok(name, "every setting is sound");
}

async function checkDatabase(values: SettingValues): Promise<Finding[]> {
  const filename = sqliteFile(values.database_url);
  if (filename !== undefined && filename !== ":memory:" && !existsSync(filename)) {
    return [
      warning("database", `${filename} does not exist yet`, "The first start makes it: posthorn serve"),
    ];
  }
  let storage: Storage;
  try {
    storage = await openStorage(values);
    await storage.ping();
  } catch (error) {
    return [
      broken("database", (error as Error).message, "Check SERVICE_DATABASE_URL, and that the server runs."),
    ];
  }
  try {
    const findings = [ok("database", filename ?? "PostgreSQL answers"), await checkSchema(storage)];
    if (findings.some(({ check, state }) => check === "schema" && state !== "ok")) return findings;
    findings.push(await checkClock(storage), await checkWorkers(storage), await checkQueue(storage));
    return findings;
  } finally {
    await storage.close();
  }
}

const mebibyte = 1024 * 1024;

function checkDisk({ database_url }: SettingValues): Finding {
  const folder = dirname(resolve(sqliteFile(database_url) ?? "."));
  const { bavail, blocks, bsize } = statfsSync(folder);
  const [free, total] = [bavail * bsize, blocks * bsize];
  const found = `${Math.round(free / mebibyte).toLocaleString("en")} MiB free (${Math.floor((free / total) * 100)} %)`;
  if (free < 64 * mebibyte) return broken("disk", found, "Make room: a full disk refuses new mail.");
  if (free / total < 0.05) return warning("disk", found, "Make room before it is full.");
  return ok("disk", found);
}
