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
    .summary("replace the database's secret key by the configured one")
    .description(
      "Replace the database's secret key by the configured one; if none is configured beside a SQLite file, a new key is made. Whatever a key of SERVICE_FORMER_SECRET_KEYS sealed is sealed anew: two-factor, webhook and mail secrets, signing keys, queued e-mails. Everybody must log in again. If it is interrupted, nothing starts until it is repeated with the same keys. Stop every process first.",
    )
    .option("--dry-run", "count what would be sealed anew, and what no known key opens; change nothing")
    .addHelpText(
      "after",
      `
What no known key opens, as when the former one is lost for good, is given up once that is confirmed: two-factor logins must be reset (posthorn users reset-2fa), webhooks need new secrets (posthorn webhooks rotate-secret), and queued e-mails with tokens fail.

Examples:
  posthorn config replace-secret-key --dry-run
  posthorn config replace-secret-key`,
    )
    .action(
      act(async (context, options: { dryRun?: boolean }) => {
        const { replaceSecretKey } = await import("./config/replace-secret-key.ts");
        await replaceSecretKey(context, options);
      }),
    );
};

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
