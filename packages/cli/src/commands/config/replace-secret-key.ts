import type { SealedOtherwise, SecretCounts, Storage } from "@posthorn/core";
import type { CommandContext } from "../../program/connection/command-context.ts";
import type { SettingValues } from "../../program/settings/settings.ts";
import { assertUnused } from "../../service/database/assert-unused.ts";
import { assertSchema, openStorage } from "../../service/database/open-storage.ts";
import { openMailer } from "../../service/open-mailer.ts";
import { createService } from "../../service/open-service.ts";
import {
  createSecretKey,
  findOrMakeSecretKey,
  findSecretKey,
  placeOfKey,
} from "../../service/secrets/secret-key.ts";
import { findUnreadableSecrets } from "../../service/secrets/unreadable-secrets.ts";
import { formerSecretKeys } from "../../service/service-options.ts";
import { countOf } from "../../terminal/count-of.ts";

const kinds: Readonly<Record<keyof SecretCounts, [wire: string, one: string, many: string]>> = {
  webhookSecrets: ["webhook_secrets", "webhook secret", "webhook secrets"],
  smtpPasswords: ["smtp_passwords", "mail server password", "mail server passwords"],
  inboundSecrets: ["inbound_secrets", "inbound endpoint secret", "inbound endpoint secrets"],
  dkimKeys: ["dkim_keys", "signing key", "signing keys"],
  twoFactorSecrets: ["two_factor_secrets", "two-factor secret", "two-factor secrets"],
  emails: ["emails", "queued e-mail", "queued e-mails"],
};
const kindNames = Object.keys(kinds) as (keyof SecretCounts)[];

type Context = Pick<CommandContext, "output" | "ownDatabase" | "confirm">;

/** Replaces the database's secret key by the configured one, and seals anew what a former key opens. */
export async function replaceSecretKey(
  context: Context,
  { dryRun = false }: { dryRun?: boolean },
): Promise<void> {
  const values = context.ownDatabase();
  const { output } = context;
  // A process that goes on would seal under the former key what no other can read.
  if (!dryRun) await assertUnused(values.database_url);
  const { isDone, isFormerKnown, found } = await survey(values);
  if (isDone) return tellDone(context, values);
  if (dryRun) {
    show(context, found);
    output.note("Nothing was done.");
    return;
  }
  const question = questionOf(found, isFormerKnown);
  if (question !== undefined) await context.confirm(question);
  const secretKey = findOrMakeSecretKey(values);
  await barOthers(values, secretKey);
  await withStorage(values, async (storage) => {
    const giveUpUnreadable = kindNames.some((kind) => found.unreadable[kind] > 0);
    const replaced = await withService({ values, storage, secretKey }, (posthorn) =>
      posthorn.replaceSecretKey({ giveUpUnreadable }),
    );
    show(context, replaced);
    output.done(
      `The database now uses the secret key in ${placeOfKey(values)}. Keep it as long as the database.`,
    );
    output.note(
      isFormerKnown
        ? "Everybody must log in again. Leave the former key in SERVICE_FORMER_SECRET_KEYS: links in e-mails already sent need it."
        : "Everybody must log in again, and links in e-mails already sent have ended.",
    );
    for (const { found: held, advice } of await findUnreadableSecrets(storage, secretKey))
      output.warn(`${held.replace("another key", "The former key")}. ${advice}`);
  });
}

/**
 * Lets nothing start until the key is replaced. What has started since it was first asked, such as under a supervisor, is
 * found by asking again: it would fail every e-mail that it can't read any more.
 */
async function barOthers(values: SettingValues, secretKey: string): Promise<void> {
  const { createSecretBox } = await import("@posthorn/core/internal");
  const { fingerprint } = createSecretBox(secretKey);
  const isFirst = await withStorage(values, async ({ operations }) => {
    const isInterrupted = (await operations.findFact("secret_key_replacement")) !== undefined;
    if (!isInterrupted) await operations.keepFact("secret_key_replacement", fingerprint);
    return !isInterrupted;
  });
  try {
    await assertUnused(values.database_url);
  } catch (error) {
    if (isFirst)
      await withStorage(values, ({ operations }) => operations.forgetFact("secret_key_replacement"));
    throw error;
  }
}

interface Survey {
  /** Whether there is nothing to do. */
  isDone: boolean;
  /** Whether the database's key is the configured one, or a former one that the settings name; or it has none yet. */
  isFormerKnown: boolean;
  found: SealedOtherwise;
}

const survey = (values: SettingValues): Promise<Survey> =>
  withStorage(values, async (storage) => {
    const { createSecretBox } = await import("@posthorn/core/internal");
    // None is stored before the command knows that it goes on.
    const secretKey = findSecretKey(values) ?? createSecretKey();
    const found = await withService({ values, storage, secretKey }, (posthorn) =>
      posthorn.replaceSecretKey({ dryRun: true }),
    );
    const known = await storage.operations.findFact("secret_key");
    const isInterrupted = (await storage.operations.findFact("secret_key_replacement")) !== undefined;
    const isOwn = createSecretBox(secretKey).fingerprint === known;
    const isFormer = formerSecretKeys(values).some((key) => createSecretBox(key).fingerprint === known);
    return {
      isDone: isOwn && !isInterrupted && kindNames.every((kind) => found.resealed[kind] === 0),
      isFormerKnown: known === undefined || isOwn || isFormer,
      found,
    };
  });

async function withStorage<T>(values: SettingValues, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(values);
  try {
    await assertSchema(storage, values.database_url);
    return await work(storage);
  } finally {
    await storage.close();
  }
}

async function withService<T>(
  { values, ...parts }: { values: SettingValues; storage: Storage; secretKey: string },
  work: (posthorn: ReturnType<typeof createService>) => Promise<T>,
): Promise<T> {
  const { mailer } = await openMailer(values, undefined);
  const posthorn = createService(values, { ...parts, mailer, options: {} });
  try {
    return await work(posthorn);
  } finally {
    await posthorn.close();
  }
}

function tellDone({ output }: Context, values: SettingValues): void {
  output.done(`The database uses the secret key in ${placeOfKey(values)} already: nothing was changed.`);
  output.note(
    values.secret_key === undefined
      ? "To replace it, move that file away, and name it in SERVICE_FORMER_SECRET_KEYS_FILE: a new key is made."
      : "To replace it, set another one, and name it in SERVICE_FORMER_SECRET_KEYS.",
  );
}

/** Returns the question to be confirmed; `undefined` if nothing is lost but logins. */
function questionOf({ unreadable }: SealedOtherwise, isFormerKnown: boolean): string | undefined {
  const lost = kindNames.flatMap((kind) => {
    const [, one, many] = kinds[kind];
    return unreadable[kind] === 0 ? [] : [countOf(unreadable[kind], one, many)];
  });
  if (lost.length > 0)
    return `No known key opens ${lost.join(", ")}; former ones may be named in SERVICE_FORMER_SECRET_KEYS. Give them up?`;
  return isFormerKnown
    ? undefined
    : "SERVICE_FORMER_SECRET_KEYS does not name the database's key: links in e-mails already sent end. Replace it?";
}

function show({ output }: Context, { resealed, unreadable }: SealedOtherwise): void {
  const rows = kindNames
    .filter((kind) => resealed[kind] + unreadable[kind] > 0)
    .map((kind) => ({ kind, resealed: resealed[kind], unreadable: unreadable[kind] }));
  output.list(
    rows,
    [
      { title: "SECRETS", cell: ({ kind }) => kinds[kind][2] },
      { title: "SEALED ANEW", cell: (row) => row.resealed },
      { title: "NO KNOWN KEY", cell: (row) => row.unreadable },
    ],
    ({ kind, ...counts }) => ({ secrets: kinds[kind][0], ...counts }),
  );
}
