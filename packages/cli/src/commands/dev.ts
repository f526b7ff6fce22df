import { randomBytes } from "node:crypto";
import type { Posthorn } from "@posthorn/core";
import type { CommandContext } from "../command-context.ts";
import type { Register } from "../commands.ts";
import type { RunningServer } from "../run-server.ts";

export const register: Register = (command, act) => {
  command
    .addHelpText(
      "after",
      `
Uses ./posthorn.db, captures mail instead of sending it, and lets webhooks go to this machine. The first start makes a user, a
workspace, a template and an API key; a later one uses them again. Flags, environment and posthorn.config.json count here too.

Examples:
  mkdir shop && cd shop && npx posthorn dev
  npx posthorn dev --port 0`,
    )
    .action(act(develop));
};

const email = "dev@posthorn.example";
const workspaceName = "Development";

async function develop(context: CommandContext): Promise<void> {
  const { values } = context.config();
  // Before the service is opened: what a development server may do beyond the settings' defaults.
  values.webhook_allow_private = true;
  values.registration = "open";
  values.smtp_url = undefined;
  values.default_sender ??= `Posthorn <${email}>`;
  const { runServer, tellAddresses } = await import("../run-server.ts");
  await runServer(context, {
    worker: true,
    async onListening(server) {
      const world = await findOrMakeWorld(server.posthorn);
      tellAddresses(context, server);
      tellWorld(context, server, world);
    },
  });
}

interface World {
  workspaceId: number;
  /** Only where it was made just now. */
  password: string | undefined;
  key: string;
}

/** What the first start made, or what it makes. Passwords and keys can't be read again: a key is made anew. */
async function findOrMakeWorld(posthorn: Posthorn): Promise<World> {
  const known = await posthorn.storage.users.findByEmail(email);
  const password = known === undefined ? randomBytes(12).toString("base64url") : undefined;
  const userId =
    known?.id ??
    (await posthorn.users.create({ name: "Developer", email, password: password ?? "", isAdmin: true })).id;
  const as = await posthorn.findUser(userId);
  if (as === undefined) throw new Error("the user is gone");
  const mine = (await posthorn.workspaces.list({ size: 100 }, { as })).items;
  const workspace =
    mine.find(({ name }) => name === workspaceName) ??
    mine[0] ??
    (await posthorn.workspaces.create({ name: workspaceName }, { as }));
  const inWorkspace = { as, workspaceId: workspace.id };
  const templates = await posthorn.templates.list({}, inWorkspace);
  if (templates.items.length === 0) await posthorn.templates.create(welcome, inWorkspace);
  for (const { id, name } of await posthorn.apiKeys.list({}, inWorkspace)) {
    if (name === keyName) await posthorn.apiKeys.revoke({ apiKeyId: id }, inWorkspace);
  }
  const { key } = await posthorn.apiKeys.create({ name: keyName }, inWorkspace);
  return { workspaceId: workspace.id, password, key };
}

const keyName = "posthorn dev";

const welcome = {
  name: "welcome",
  description: "Greets somebody new",
  subject: "Welcome, {{name}}!",
  html: "<style>h1 { color: #1a5276 }</style><h1>Welcome, {{name}}!</h1><p>It is good to have you here.</p>",
  text: "Welcome, {{name}}!\n\nIt is good to have you here.",
  sampleData: { name: "Ada" },
};

function tellWorld({ output }: CommandContext, { url, inboxUrl }: RunningServer, world: World): void {
  const { workspaceId, password, key } = world;
  const body = '{"template":"welcome","to":["ada@example.com"],"template_data":{"name":"Ada"}}';
  if (output.json) {
    const login = { email, ...(password === undefined ? {} : { password }) };
    output.record(
      {},
      { url, docs_url: `${url}/docs`, inbox_url: inboxUrl, login, workspace_id: workspaceId, api_key: key },
    );
  }
  output.note(`
Login:       ${email}
Password:    ${password ?? "as shown at the first start; a new one: posthorn users set-password"}
Workspace:   ${workspaceId} (X-Service-Workspace-Id: ${workspaceId})
API key:     ${key}${password === undefined ? " (new: the one of the last start is revoked)" : ""}

Send a first e-mail, then look into the inbox:

curl -sS ${url}/api/v1/emails/send-template -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" -d '${body}'

Ctrl-C ends it.
`);
}
