import type { Storage } from "@posthorn/core";
import type { CommandContext } from "../program/connection/command-context.ts";
import type { Setting } from "../program/settings/setting.ts";
import { type SettingName, settings } from "../program/settings/settings.ts";
import { warnOfUnknownSettings } from "../program/settings/unknown-settings.ts";
import { refuseUnknown } from "../program/verbs/add-verb.ts";
import type { Register } from "../program/verbs/register.ts";
import type { Column } from "../terminal/table.ts";

export const register: Register = (command, act) => {
  const verb = command.command("show", { isDefault: true });
  refuseUnknown(verb);
  verb
    .summary("show every setting in force, with secrets masked")
    .description("Show every setting in force, with secrets masked.")
    .option("--origin", "show where each value comes from")
    .addHelpText("after", "\nExample:\n  posthorn config show --origin")
    .action(act(show));
  command
    .command("replace-secret-key")
    .summary("replace the database's lost secret key by the configured one")
    .description(
      "Replace the database's secret key, when it is lost for good, by the configured one; if none is configured beside a SQLite file, a new key is made. Data that the former key sealed stays unreadable: two-factor logins must be reset (posthorn users reset-2fa), webhooks need new secrets (posthorn webhooks rotate-secret), queued mails with tokens fail, and everybody must log in again. Stop every process first.",
    )
    .addHelpText("after", "\nExample:\n  posthorn config replace-secret-key")
    .action(act(replaceSecretKey));
};

async function replaceSecretKey(context: CommandContext): Promise<void> {
  const values = context.ownDatabase();
  const [
    { assertUnused },
    { createService },
    { openMailer },
    { assertSchema, openStorage },
    { findOrMakeSecretKey, findSecretKey, placeOfKey },
    { findUnreadableSecrets },
  ] = await Promise.all([
    import("../service/assert-unused.ts"),
    import("../service/open-service.ts"),
    import("../service/open-mailer.ts"),
    import("../service/open-storage.ts"),
    import("../service/secret-key.ts"),
    import("../service/unreadable-secrets.ts"),
  ]);
  // A process that goes on would seal under the former key what no other can read.
  await assertUnused(values.database_url);
  const storage = await openStorage(values);
  try {
    await assertSchema(storage, values.database_url);
    if (await isOwnKey(storage, findSecretKey(values))) {
      context.output.done(
        `The database uses the secret key in ${placeOfKey(values)} already: nothing was changed.`,
      );
      context.output.note(
        values.secret_key === undefined
          ? "To replace it, move that file away first: a new key is made."
          : "To replace it, set another one.",
      );
      return;
    }
    await context.confirm("Give up every secret that the former key encrypted?");
    const { mailer } = await openMailer(values, undefined);
    const secretKey = findOrMakeSecretKey(values);
    const posthorn = createService(values, { storage, mailer, secretKey, options: {} });
    await posthorn.replaceSecretKey();
    await posthorn.close();
    context.output.done(
      `The database now uses the secret key in ${placeOfKey(values)}. Keep it as long as the database.`,
    );
    for (const { found, advice } of await findUnreadableSecrets(storage, secretKey))
      context.output.warn(`${found.replace("another key", "The former key")}. ${advice}`);
  } finally {
    await storage.close();
  }
}

/** Whether the key is the one that the database has, and not lost. */
async function isOwnKey(storage: Storage, secretKey: string | undefined): Promise<boolean> {
  const { createSecretBox, secretKeyFault } = await import("@posthorn/core/internal");
  if (secretKey === undefined || secretKeyFault(secretKey) !== undefined) return false;
  return (await storage.operations.findFact("secret_key")) === createSecretBox(secretKey).fingerprint;
}

async function show({ config, output }: CommandContext, options: { origin?: true }): Promise<void> {
  const loaded = config();
  const { values, origins } = loaded;
  warnOfUnknownSettings(output, loaded);
  const rows = (Object.entries(settings) as [SettingName, Setting<unknown>][]).map(([name, setting]) => ({
    name,
    env: setting.env,
    value: masked(name, setting, values[name]),
    origin: origins[name],
  }));
  if (output.json) {
    output.record(
      {},
      Object.fromEntries(
        rows.map(({ name, env, value, origin }) => [
          name,
          options.origin ? { value: value ?? null, origin, environment: env } : (value ?? null),
        ]),
      ),
    );
    return;
  }
  type Row = (typeof rows)[number];
  const columns: Column<Row>[] = [
    { title: "SETTING", cell: ({ env }) => env },
    { title: "VALUE", cell: ({ value }) => (typeof value === "object" ? value.join(", ") : value) },
  ];
  if (options.origin) columns.push({ title: "FROM", cell: ({ origin }) => origin });
  output.list(rows, columns);
}

type Shown = string | number | boolean | readonly string[] | undefined;

/** An item of a list as the setting takes it: of a DKIM key, its selector and its file. */
const asGiven = (item: string | { selector: string; file: string }): string =>
  typeof item === "string" ? item : `${item.selector}=${item.file}`;

/** Masks the secrets in a value: a URL's password, a user's name that is the same, and tokens among its parameters. */
function masked(name: SettingName, setting: Setting<unknown>, value: unknown): Shown {
  if (Array.isArray(value)) return value.map(asGiven);
  if (typeof value !== "string") return value as Shown;
  const url = name.endsWith("_url") && !value.startsWith("sqlite:") ? URL.parse(value) : null;
  if (url === null) return setting.secret ? "••••••" : value;
  // Some providers take their token as the name and as the password.
  if (url.username === url.password && url.password !== "") url.username = "••••••";
  if (url.password !== "") url.password = "••••••";
  for (const key of [...url.searchParams.keys()]) {
    if (/pass|secret|token|key/i.test(key)) url.searchParams.set(key, "••••••");
  }
  return url.href.replaceAll("%E2%80%A2", "•");
}
