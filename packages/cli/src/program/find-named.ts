import type { Posthorn } from "@posthorn/core";
import { CliError } from "./cli-error.ts";
import { operatorCall } from "./operator-call.ts";

export type User = Awaited<ReturnType<Posthorn["users"]["get"]>>;
export type Workspace = Awaited<ReturnType<Posthorn["workspaces"]["get"]>>;
export type Plan = Awaited<ReturnType<Posthorn["plans"]["get"]>>;
export type Template = Awaited<ReturnType<Posthorn["templates"]["list"]>>["items"][number];

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text);

/** The user with an id or an e-mail address. */
export async function findUser(posthorn: Posthorn, named: string): Promise<User> {
  if (isNumber(named)) return await posthorn.users.get({ userId: Number(named) }, operatorCall());
  if (!named.includes("@"))
    throw new CliError(
      "usage",
      `"${named}" is neither a user's number nor an e-mail address.`,
      "Try: posthorn users list",
    );
  return await posthorn.users.getByEmail({ email: named }, operatorCall());
}

/** The workspace with an id or a name. Names are not unique: where several have it, a usage error lists their ids. */
export async function findWorkspace(posthorn: Posthorn, named: string): Promise<Workspace> {
  if (isNumber(named)) return await posthorn.workspaces.get({}, operatorCall(Number(named)));
  const wanted = named.trim().normalize("NFC");
  const found = [];
  for (let page = 0; ; page += 1) {
    const { items, total } = await posthorn.workspaces.listAll(
      { q: wanted, page, size: 100 },
      operatorCall(),
    );
    found.push(...items.filter(({ name }) => name === wanted));
    if (items.length === 0 || (page + 1) * 100 >= total) break;
  }
  const [only] = found;
  if (only === undefined)
    throw new CliError(
      "not_found",
      `There is no workspace named "${wanted}".`,
      "Try: posthorn workspaces list",
    );
  if (found.length > 1)
    throw new CliError(
      "usage",
      `${found.length} workspaces are named "${wanted}": ${found.map(({ id }) => id).join(", ")}.`,
      "Name it by its number.",
    );
  return await posthorn.workspaces.get({}, operatorCall(only.id));
}

/** The plan with an id or a name. */
export async function findPlan(posthorn: Posthorn, named: string): Promise<Plan> {
  if (isNumber(named)) return await posthorn.plans.get({ planId: Number(named) }, operatorCall());
  const plan = (await posthorn.plans.list({}, operatorCall())).find(({ name }) => name === named);
  if (plan === undefined)
    throw new CliError("not_found", `There is no plan named "${named}".`, "Try: posthorn plans list");
  return plan;
}

/** Every template of a workspace. */
export async function listTemplates(posthorn: Posthorn, workspaceId: number): Promise<Template[]> {
  const all: Template[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await posthorn.templates.list({ page, size: 100 }, operatorCall(workspaceId));
    all.push(...items);
    if (items.length === 0 || page * 100 >= total) return all;
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The workspace's template with a name or an id. */
export async function findTemplate(
  posthorn: Posthorn,
  workspaceId: number,
  named: string,
): Promise<Template> {
  const template = (await listTemplates(posthorn, workspaceId)).find(({ id, name }) =>
    uuid.test(named) ? id === named.toLowerCase() : name === named,
  );
  if (template === undefined)
    throw new CliError(
      "not_found",
      `The workspace has no template "${named}".`,
      "Try: posthorn templates list --workspace …",
    );
  return template;
}
