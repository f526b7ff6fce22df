import { readFileSync } from "node:fs";
import type { DkimKey } from "@posthorn/core";
import { CliError } from "../../program/errors/cli-error.ts";
import type { SettingValues } from "../../program/settings/settings.ts";
import { whyUnreadable } from "../../program/settings/unreadable.ts";

/**
 * Reads the operator's own DKIM keys from their files and checks that they can sign; returns none if none are set.
 * Throws a usage error that names the setting, and never shows a key.
 */
export async function readDkimKeys(
  values: Pick<SettingValues, "dkim_domain" | "dkim_keys">,
): Promise<(DkimKey & { record: string })[]> {
  const { dkim_domain: domain, dkim_keys: files } = values;
  if (domain === undefined && files === undefined) return [];
  if (domain === undefined)
    throw fault("SERVICE_DKIM_DOMAIN is not set: SERVICE_DKIM_KEYS sign a domain's mail");
  if (files === undefined)
    throw fault("SERVICE_DKIM_KEYS is not set: mail of SERVICE_DKIM_DOMAIN can't be signed");
  const { readDkimKey } = await import("@posthorn/mailer-smtp");
  return files.map(({ selector, file }) => {
    const key = { domain, selector, privateKey: readKeyFile(file) };
    try {
      return { ...key, record: readDkimKey(key).record };
    } catch (error) {
      const message = (error as Error).message;
      const setting = message.startsWith("dkim.domain") ? "SERVICE_DKIM_DOMAIN" : "SERVICE_DKIM_KEYS";
      throw fault(
        `${setting}: ${message
          .replace(/^dkim\.domain/, domain)
          .replace(/^dkim\.selector/, selector)
          .replace(/^dkim\.privateKey/, file)}`,
      );
    }
  });
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw fault(`SERVICE_DKIM_KEYS: ${file} can't be read: ${whyUnreadable(error)}`);
  }
}

function fault(message: string): CliError {
  return new CliError(
    "usage",
    `${message}.`,
    "An example: SERVICE_DKIM_DOMAIN=example.com SERVICE_DKIM_KEYS=ph1=/etc/posthorn/dkim.pem",
  );
}
