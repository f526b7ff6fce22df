import { apiKeyWire, apiKeyWithTextWire } from "@posthorn/http/wire";
import { addVerb, addWorkspaceOption } from "../add-verb.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Register } from "../commands.ts";
import { findWorkspace } from "../find-named.ts";
import { operatorCall } from "../operator-call.ts";
import { wholeNumber } from "../option-values.ts";
import { readable, tellDone } from "../tell.ts";

export const register: Register = (command, act) => {
  addWorkspaceOption(
    addVerb(command, "list", {
      summary: "list a workspace's API keys, newest first",
      example: "posthorn api-keys list --workspace Shop",
      isDefault: true,
    }),
  ).action(act(list));
  addWorkspaceOption(
    addVerb(command, "create <name>", {
      summary: "make an API key, which is shown this once",
      details: "The key alone goes to standard output, so that it can be kept in a file without being seen.",
      example: "posthorn api-keys create shop-server --workspace Shop --json | jq -r .key > key.txt",
    }),
  )
    .option(
      "--expires-in-days <days>",
      "its lifetime, 0 for ever (default: as the workspace's settings say)",
      wholeNumber(0, 3650),
    )
    .action(act(create));
  addWorkspaceOption(
    addVerb(command, "revoke <key>", {
      summary: "end an API key, named by id or prefix: it is refused at once",
      example: "posthorn api-keys revoke sk_4fT9q --workspace Shop",
    }),
  ).action(act(revoke));
};

interface InWorkspace {
  workspace: string;
}

async function list(context: CommandContext, options: InWorkspace): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, options.workspace);
  context.output.list(
    await posthorn.apiKeys.list({}, operatorCall(workspace.id)),
    [
      { title: "ID", cell: ({ id }) => id },
      { title: "PREFIX", cell: ({ prefix }) => `${prefix}…` },
      { title: "NAME", cell: ({ name }) => name },
      { title: "EXPIRES", cell: ({ expiresAt }) => readable(expiresAt) },
      { title: "LAST USED", cell: ({ lastUsedAt }) => readable(lastUsedAt) },
    ],
    apiKeyWire.from,
  );
}

async function create(
  context: CommandContext,
  name: string,
  { workspace: named, expiresInDays }: InWorkspace & { expiresInDays?: number },
): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, named);
  const key = await posthorn.apiKeys.create(
    { name, ...(expiresInDays === undefined ? {} : { expiresInDays }) },
    operatorCall(workspace.id),
  );
  const until = key.expiresAt === undefined ? "It never expires." : `It expires ${readable(key.expiresAt)}.`;
  tellDone(
    context,
    `A key of "${workspace.name}". ${until} It is shown this once:`,
    apiKeyWithTextWire.from(key),
  );
  if (!context.output.json) context.output.data(key.key);
}

async function revoke(context: CommandContext, named: string, options: InWorkspace): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, options.workspace);
  const keys = await posthorn.apiKeys.list({}, operatorCall(workspace.id));
  const found = keys.filter(({ id, prefix }) => id === named || prefix === named.replace(/…$/, ""));
  const [key] = found;
  if (key === undefined) throw new CliError("not_found", `The workspace has no API key ${named}.`);
  if (found.length > 1)
    throw new CliError("usage", `Several keys begin with ${named}.`, "Name it by its id.");
  await context.confirm(
    `Revoke the API key "${key.name}" (${key.prefix}…) of "${workspace.name}"? Whoever uses it can't send any more.`,
  );
  await posthorn.apiKeys.revoke({ apiKeyId: key.id }, operatorCall(workspace.id));
  tellDone(context, `The key "${key.name}" is revoked.`, apiKeyWire.from(key));
}
