import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { DevelopmentHome, RefusedRequest } from "@posthorn/http";
import type { CommandContext } from "../program/connection/command-context.ts";
import { CliError } from "../program/errors/cli-error.ts";
import { warnOfUnknownSettings } from "../program/settings/unknown-settings.ts";
import { calledAs } from "../program/verbs/called-as.ts";
import type { Register } from "../program/verbs/register.ts";
import { shellWord } from "../program/verbs/shell-word.ts";
import type { RunningServer } from "../service/server/run-server.ts";
import { paint } from "../terminal/paint.ts";
import { safeText } from "../terminal/safe-text.ts";
import { devFolder, useDevSettings } from "./dev/dev-settings.ts";
import type { DevTemplates } from "./dev/dev-templates.ts";
import type { DevWorld } from "./dev/dev-world.ts";

export const register: Register = (command, act) => {
  command
    .argument("[folder]", "a folder of templates to watch: each save is pushed and shown at once")
    .addHelpText(
      "after",
      `
Keeps everything in ./.posthorn, captures mail instead of sending it, and lets webhooks go to this machine. The first start makes a
user, a workspace, a template and an API key; later starts reuse them, with the same login and key, each replaced if it no longer
works. Other commands reach its database with --dev. To start afresh, remove ./.posthorn.

Settings of a real service are ignored in the environment and in files, and named at the start: database, mail server, keys, host
and URLs. Those with an option above are taken from it: --database-url makes a database elsewhere, or goes on in one that posthorn
dev made. A service's database that has users is refused, and so is another program's SQLite file; in PostgreSQL the tables are
beside others', in the schema posthorn.

With a folder in the layout of "templates push", /previews shows its templates with their sample data as they would be sent. Each save
becomes the version that is sent from then on; both the page and this terminal show a file's faults, with their lines.

Examples:
  mkdir shop && cd shop && npx posthorn dev
  npx posthorn dev mail/
  npx posthorn dev --port 0
  npx posthorn --dev emails list`,
    )
    .action(act(develop));
};

async function develop(context: CommandContext, folder: string | undefined): Promise<void> {
  if (folder !== undefined) assertFolder(folder);
  const config = context.config(true);
  const unheeded = useDevSettings(config);
  if (unheeded.length > 0)
    context.output.warn(`Ignored, as a development server uses its own: ${unheeded.join(", ")}.`);
  warnOfUnknownSettings(context.output, config);
  await assertOwn(config.values);
  const [{ runServer, tellAddresses }, { findOrMakeDevWorld, markAsDev }] = await Promise.all([
    import("../service/server/run-server.ts"),
    import("./dev/dev-world.ts"),
  ]);
  let home: DevelopmentHome | undefined;
  let shown: ShownTemplates | undefined;
  const serving = runServer(context, {
    worker: true,
    notices: context.output,
    home: () => home,
    ...(folder === undefined ? {} : { previews: () => shown?.templates }),
    onRefused: (refused) => tellRefused(context, refused),
    async onListening(server) {
      await markAsDev(server.storage);
      const world = await findOrMakeDevWorld(
        server.posthorn,
        config.values.database_url,
        config.values.base_url ?? server.url,
      );
      const { email, password, key: apiKey, workspaceId } = world;
      home = { url: server.url, apiKey, login: { email, password }, workspaceId };
      tellAddresses(context.output, server);
      if (folder !== undefined)
        context.output.note(
          `Templates:   ${server.url}/previews (those of ${folder}, updated when you save)`,
        );
      tellWorld(context, server, world);
      tellMails(context, server);
      if (folder !== undefined) shown = await showTemplates(context, server, { folder, world });
    },
  });
  await serving.finally(() => shown?.stop());
}

function assertFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined)
    throw new CliError("not_found", `There is no folder ${path}.`, `Make it: mkdir ${shellWord(path)}`);
  if (!found.isDirectory())
    throw new CliError("usage", `${path} is not a folder.`, "Name the folder that the templates are in.");
}

/** Refuses a database with data that was not created by this command. Creates the command's own folder. */
async function assertOwn({ database_url }: { database_url: string }): Promise<void> {
  const [{ openStorage, placeOf, sqliteFile }, { isOwnDatabase, makeDevFolder }, { holdsOthersOnly }] =
    await Promise.all([
      import("../service/database/open-storage.ts"),
      import("./dev/dev-world.ts"),
      import("@posthorn/storage-sqlite/internal"),
    ]);
  const file = sqliteFile(database_url);
  if (file !== undefined && dirname(file).endsWith(devFolder)) makeDevFolder(dirname(file));
  if (file !== undefined && !existsSync(file)) return;
  const storage = await openStorage({ database_url });
  try {
    const isOthers = file !== undefined && (await holdsOthersOnly(file));
    if (!isOthers && (await isOwnDatabase(storage))) return;
  } finally {
    await storage.close();
  }
  throw new CliError(
    "conflict",
    `${placeOf(database_url)} was not made by posthorn dev, which would create an administrator in it and capture its e-mails.`,
    "Leave out --database-url: posthorn dev has a database of its own in ./.posthorn",
  );
}

/** Prints a line for each captured mail, with the URL of its page. */
function tellMails({ output }: CommandContext, { inbox, inboxUrl }: RunningServer): void {
  inbox?.subscribe(({ id, to, subject }) => {
    const time = new Date().toTimeString().slice(0, 8);
    const who = to.length > 1 ? `${to[0]} and ${to.length - 1} more` : (to[0] ?? "");
    const link = inboxUrl === undefined ? "" : `  ${inboxUrl}/${id}`;
    output.note(
      paint("dim", `${time} e-mail to ${safeText(who)}: ${safeText(subject)}${link}`, process.stderr),
    );
  });
}

/** Prints a line for each refused request of a program: browsers and this server's pages ask of their own accord. */
function tellRefused({ output }: CommandContext, { method, path, status, message }: RefusedRequest): void {
  if (/^\/(?:favicon\.ico|apple-touch-icon|\.well-known\/|inbox\/|previews\/)/.test(path)) return;
  const time = new Date().toTimeString().slice(0, 8);
  output.note(`${paint("dim", time, process.stderr)} ${safeText(`${method} ${path} ${status}: ${message}`)}`);
}

interface ShownTemplates {
  templates: DevTemplates;
  stop(): Promise<void>;
}

/** Synchronises a folder into the development workspace. */
async function showTemplates(
  context: CommandContext,
  { posthorn, url }: RunningServer,
  { folder: path, world: { email, workspaceId } }: { folder: string; world: DevWorld },
): Promise<ShownTemplates> {
  const [{ createDevTemplates }, { watchTemplates }, { connectDirectly }] = await Promise.all([
    import("./dev/dev-templates.ts"),
    import("./dev/watch-templates.ts"),
    import("../program/connection/connect-directly.ts"),
  ]);
  const templates = createDevTemplates(connectDirectly(posthorn).on(workspaceId), { path, to: email });
  return { templates, ...(await watchTemplates(context, { path, templates, url: `${url}/previews` })) };
}

function tellWorld({ output }: CommandContext, { url, inboxUrl }: RunningServer, world: DevWorld): void {
  const { email, workspaceId, password, key } = world;
  const body = '{"template":"welcome","to":["ada@example.com"],"template_data":{"name":"Ada"}}';
  if (output.json) {
    const login = { email, password };
    output.record(
      {},
      { url, docs_url: `${url}/docs`, inbox_url: inboxUrl, login, workspace_id: workspaceId, api_key: key },
    );
  }
  output.note(`
Login:       ${email}
Password:    ${password}
Workspace:   ${workspaceId} (X-Service-Workspace-Id: ${workspaceId})
API key:     ${key}

Send a first e-mail, then look at the inbox:

curl -sS ${url}/api/v1/emails/send-template -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${body}'

Other commands reach its database with --dev, such as: ${calledAs()} --dev emails list
Ctrl-C ends it.
`);
}
