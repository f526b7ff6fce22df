import type { Posthorn, Storage } from "@posthorn/core";
import { CliError } from "../../program/errors/cli-error.ts";
import type { SettingValues } from "../../program/settings/settings.ts";
import { openMailer } from "../../service/open-mailer.ts";
import { createService } from "../../service/open-service.ts";
import { findSecretKey, putBack, secretKeyFile, wrongKey } from "../../service/secrets/secret-key.ts";
import { findUnreadableSecrets } from "../../service/secrets/unreadable-secrets.ts";
import { broken, type Finding, ok, warning } from "./finding.ts";

const name = "secret key";

/** Compares the configured key with the database's, and finds what a former key sealed. */
export async function checkSecretKey(values: SettingValues, storage: Storage): Promise<Finding[]> {
  if ((await storage.operations.findFact("secret_key")) === undefined)
    return [ok(name, "the first start stores its fingerprint")];
  const key = await compareKey(values, storage);
  if (typeof key !== "string") return [key];
  const unreadable = await findUnreadableSecrets(storage, key);
  if (unreadable.length === 0) return [ok(name, "it is the database's, and can read every stored secret")];
  return unreadable.map(({ found, advice }) =>
    warning(
      name,
      found,
      `${advice}. If you have that key: name it in SERVICE_FORMER_SECRET_KEYS, stop every process, and run posthorn config replace-secret-key`,
    ),
  );
}

/** Returns the key if it is the database's, otherwise what is wrong with it. */
async function compareKey(values: SettingValues, storage: Storage): Promise<string | Finding> {
  let secretKey: string | undefined;
  try {
    secretKey = findSecretKey(values);
  } catch (error) {
    const { message, hint = "Set SERVICE_SECRET_KEY." } = error as CliError;
    return broken(name, message, hint);
  }
  if (secretKey === undefined)
    return broken(
      name,
      `missing, though the database was created with one: there is no ${secretKeyFile(values.database_url) ?? "SERVICE_SECRET_KEY"}`,
      putBack,
    );
  const { mailer } = await openMailer(values, undefined);
  let posthorn: Posthorn | undefined;
  try {
    posthorn = createService(values, { storage, mailer, secretKey, options: {} });
    await posthorn.checkSecretKey();
    return secretKey;
  } catch (error) {
    // A key that can't be anyone's, such as an empty one, is refused before it is compared.
    const { message, hint = "" } = error instanceof CliError ? error : wrongKey(values, error);
    return broken(name, message.replace(/\.$/, ""), hint);
  } finally {
    await posthorn?.close();
  }
}
