import type { Item } from "@posthorn/client";
import { workspaceWire } from "@posthorn/http/wire";
import type { RequestedPage } from "../../program/connection/all-pages.ts";
import type { Api } from "../../program/connection/api.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { operatorCall } from "../../program/connection/operator-call.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { hasCode } from "../../program/errors/has-code.ts";
import type { Paging } from "../../program/verbs/add-verb.ts";
import { defined } from "../../program/verbs/defined.ts";
import { findListed } from "../../program/verbs/find-listed.ts";
import { findUser } from "../../program/verbs/find-user.ts";
import { members } from "../../program/verbs/listed-things.ts";
import { shellWord } from "../../program/verbs/shell-word.ts";
import { listPages } from "../../terminal/list-pages.ts";
import { readable, reportDone } from "../../terminal/report-done.ts";
import type { Column } from "../../terminal/table.ts";

interface ListOptions extends Paging {
  query?: string;
  everybody?: boolean;
}

export async function list(
  context: CommandContext,
  { query, everybody = false, ...paging }: ListOptions,
): Promise<void> {
  const api = await context.api();
  const shared: Column<{ id: number; name: string; created_at: string }>[] = [
    { title: "ID", cell: ({ id }) => id, align: "right" },
    { title: "NAME", cell: ({ name }) => name, narrow: "cut" },
    { title: "CREATED", cell: ({ created_at }) => readable(created_at), narrow: "spare" },
  ];
  if (api.kind === "database" || everybody || query !== undefined) {
    const filter = defined({ q: query });
    const ask = (page: RequestedPage) => api.request("GET /admin/workspaces", { ...page, ...filter });
    const columns: Column<Item<"GET /admin/workspaces">>[] = [
      ...shared,
      { title: "TRUSTED", cell: ({ is_trusted }) => (is_trusted ? "yes" : "no") },
      { title: "PLAN", cell: ({ plan_id }) => plan_id, align: "right" },
    ];
    return await listPages(context, ask, { asks: "GET /admin/workspaces", columns, paging, first: 0 });
  }
  const ask = (page: RequestedPage) => api.request("GET /workspaces", page);
  const columns: Column<Item<"GET /workspaces">>[] = [...shared, { title: "ROLE", cell: ({ role }) => role }];
  await listPages(context, ask, { asks: "GET /workspaces", columns, paging, first: 0 });
}

export async function show(context: CommandContext, named: string): Promise<void> {
  const api = await context.inWorkspace(named);
  const workspace = await api.request("GET /workspaces/current");
  const people = await api.request("GET /workspaces/current/members");
  const plan = await planOf(api, workspace.id);
  context.output.record(
    {
      id: workspace.id,
      name: workspace.name,
      owner: people.find(({ role }) => role === "owner")?.email,
      members: people.length,
      plan,
      created: readable(workspace.created_at),
    },
    workspace,
  );
}

/** Describes a workspace's plan; only administrators see its source. */
async function planOf({ kind, request }: Api, id: number): Promise<string> {
  try {
    if (kind === "server") return (await request("GET /workspaces/current/plan")).name;
    const { plan, source } = await request("GET /admin/workspaces/{id}/plan", { id });
    return `${plan.name} (${source})`;
  } catch (error) {
    // The workspace has neither an assigned plan nor a default one.
    if (hasCode(error, "not_found")) return "none: everything is unlimited";
    throw error;
  }
}

export async function create(
  context: CommandContext,
  name: string,
  { owner }: { owner?: string },
): Promise<void> {
  const api = await context.api();
  if (api.kind === "server") return await createOwn(context, api, { name, owner });
  if (owner === undefined)
    throw new CliError(
      "usage",
      "--owner is required: the user who is to own the workspace.",
      `An example: posthorn workspaces create ${shellWord(name)} --owner ada@example.com`,
    );
  const posthorn = await context.posthorn();
  const user = await findUser(context, owner);
  const workspace = await posthorn.workspaces.createFor({ name, userId: user.id }, operatorCall());
  reportDone(
    context,
    `Workspace ${workspace.id}, "${workspace.name}", is created for ${user.email}.`,
    workspaceWire.from(workspace),
  );
  const alike = await posthorn.workspaces.listAll({ q: workspace.name, size: 100 }, operatorCall());
  const others = alike.items.filter(({ id, name }) => name === workspace.name && id !== workspace.id);
  if (others.length === 0) return;
  const ids = others.map(({ id }) => id).join(", ");
  context.output.note(
    `Another workspace has the same name (${ids}): commands can no longer find either by name. Use the id.`,
  );
}

/** On a server, the user who creates a workspace owns it. */
async function createOwn(
  context: CommandContext,
  api: Api,
  { name, owner }: { name: string; owner: string | undefined },
): Promise<void> {
  if (owner !== undefined)
    throw new CliError(
      "usage",
      "--owner works only at the database: on a server, a workspace belongs to the user who is logged in.",
      `To create one for another user, with an external id: posthorn workspaces ensure ID --name ${shellWord(name)} --owner ${owner}`,
    );
  const workspace = await api.request("POST /workspaces", { name });
  reportDone(
    context,
    `Workspace ${workspace.id}, "${workspace.name}", is created; you are its owner.`,
    workspace,
  );
}

export async function ensure(
  context: CommandContext,
  externalId: string,
  { name, owner }: { name: string; owner?: string },
): Promise<void> {
  const user = owner === undefined ? undefined : await findUser(context, owner);
  const workspace = await (await context.api()).request("PUT /admin/workspaces-by-external-id/{externalId}", {
    externalId,
    name,
    ...(user === undefined ? {} : { user_id: user.id }),
  });
  reportDone(
    context,
    `Workspace ${workspace.id}, "${workspace.name}", has the external id "${workspace.external_id}".`,
    workspace,
  );
}

export async function trust(context: CommandContext, named: string): Promise<void> {
  const { id } = await context.workspace(named);
  const workspace = await (await context.api()).request("POST /admin/workspaces/{id}/trust", { id });
  reportDone(context, `Workspace ${id}, "${workspace.name}", is trusted.`, workspace);
}

export async function distrust(context: CommandContext, named: string): Promise<void> {
  const { id } = await context.workspace(named);
  const workspace = await (await context.api()).request("DELETE /admin/workspaces/{id}/trust", { id });
  reportDone(context, `Workspace ${id}, "${workspace.name}", is no longer trusted.`, workspace);
}

export async function rename(context: CommandContext, named: string, name: string): Promise<void> {
  const api = await context.inWorkspace(named);
  const workspace = await api.request("PUT /workspaces/current", { name });
  reportDone(context, `Workspace ${workspace.id} is renamed to "${workspace.name}".`, workspace);
}

export async function remove(context: CommandContext, named: string): Promise<void> {
  const api = await context.inWorkspace(named);
  const { id, name } = api.workspace;
  context.output.note(
    `This deletes the workspace ${id}, "${name}", with its templates, keys, webhooks and the log of its e-mails. It can't be undone.`,
  );
  await context.confirm(`Delete the workspace "${name}"?`);
  await api.request("DELETE /workspaces/current", { name });
  reportDone(context, `The workspace "${name}" is deleted.`, { id, name });
}

export async function transfer(context: CommandContext, named: string, heir: string): Promise<void> {
  const api = await context.inWorkspace(named);
  const userId = Number(await findListed(members)(api, heir));
  await context.confirm(
    `Make ${heir} the owner of "${api.workspace.name}"? The former owner becomes an admin.`,
  );
  const workspace = await api.request("POST /workspaces/current/transfer-ownership", { user_id: userId });
  reportDone(context, `${heir} is now the owner of "${workspace.name}".`, workspace);
}
