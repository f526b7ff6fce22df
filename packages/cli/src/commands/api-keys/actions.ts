import { apiKeyWire, apiKeyWithTextWire } from "@posthorn/http/wire";
import { CliError } from "../../program/cli-error.ts";
import type { CommandContext } from "../../program/command-context.ts";
import { findWorkspace } from "../../program/find-named.ts";
import { operatorCall } from "../../program/operator-call.ts";
import { readable, tellDone } from "../../terminal/tell.ts";

interface InWorkspace {
  workspace: string;
}

export async function list(context: CommandContext, options: InWorkspace): Promise<void> {
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

export async function create(
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
  const { output } = context;
  output.done(`A key of "${workspace.name}". ${until} It is shown this once${output.jsonAsked ? "." : ":"}`);
  // Text by nature: a file or a secret store that the key is piped to wants nothing around it.
  if (output.jsonAsked) output.record({}, apiKeyWithTextWire.from(key));
  else output.data(key.key);
}

export async function revoke(context: CommandContext, named: string, options: InWorkspace): Promise<void> {
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
