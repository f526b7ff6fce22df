import type { RequestedPage } from "../../program/connection/all-pages.ts";
import type { Api } from "../../program/connection/api.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { listedFields } from "../../program/connection/listed-fields.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { hasCode } from "../../program/errors/has-code.ts";
import type { Paging } from "../../program/verbs/add-verb.ts";
import { defined } from "../../program/verbs/defined.ts";
import { findItem } from "../../program/verbs/find-listed.ts";
import { findUser } from "../../program/verbs/find-user.ts";
import { plans } from "../../program/verbs/listed-things.ts";
import { listPages } from "../../terminal/list-pages.ts";
import { reportDone } from "../../terminal/report-done.ts";
import { comparisonOf, type Plan, planColumns, planLimits, planLines } from "./plan-table.ts";

const findPlan = (api: Api, named: string): Promise<Plan> => findItem(plans, api, named);

export async function show(context: CommandContext, named: string): Promise<void> {
  const api = await context.api();
  const plan = await findPlan(api, named);
  const holders = await countHolders(api, plan);
  context.output.record(
    { ...planLines(plan), "assigned to": `${holders} (posthorn plans who ${plan.id})` },
    plan,
  );
}

/** Describes how many workspaces and users have a plan. */
async function countHolders({ request }: Api, { id }: Plan): Promise<number> {
  return (await request("GET /admin/plans/{id}/holders", { id, size: 1 })).pagination.total;
}

export async function compare(context: CommandContext, named: string[]): Promise<void> {
  const api = await context.api();
  const chosen =
    named.length === 0
      ? await api.request("GET /admin/plans")
      : await Promise.all(named.map((name) => findPlan(api, name)));
  if (context.output.json)
    return await context.output.answers(chosen, planColumns, () => listedFields("GET /admin/plans"));
  const { rows, columns } = comparisonOf(chosen);
  context.output.list(chosen.length === 0 ? [] : rows, columns);
}

export async function who(context: CommandContext, named: string, paging: Paging): Promise<void> {
  const api = await context.api();
  const plan = await findPlan(api, named);
  const ask = (page: RequestedPage) => api.request("GET /admin/plans/{id}/holders", { id: plan.id, ...page });
  await listPages(context, ask, {
    asks: "GET /admin/plans/{id}/holders",
    paging,
    first: 0,
    columns: [
      { title: "KIND", cell: ({ kind }) => kind },
      { title: "ID", cell: ({ id }) => id, align: "right" },
      { title: "NAME", cell: ({ name }) => name, narrow: "cut" },
      { title: "E-MAIL", cell: ({ email }) => email },
    ],
  });
  if (plan.is_default)
    context.output.note("It is also the default plan, which applies to all without one of their own.");
}

type Limits = { description?: string } & Record<string, unknown>;

/** Picks the plan's fields from the options. */
function fieldsOf(options: Limits): Partial<Plan> {
  const limits = planLimits.map(({ field }) => [field, options[optionKey(field)]]);
  return defined({ description: options.description, ...Object.fromEntries(limits) });
}

const optionKey = (field: string): string =>
  field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export async function create(
  context: CommandContext,
  name: string,
  { default: isDefault, ...options }: Limits & { default?: boolean },
): Promise<void> {
  const api = await context.api();
  const fields = { ...fieldsOf(options), ...defined({ is_default: isDefault }) };
  const plan = await api.request("POST /admin/plans", { name, ...fields });
  reportDone(context, `Plan ${plan.id}, "${plan.name}", is created.`, plan);
}

export async function update(
  context: CommandContext,
  named: string,
  { name, active, ...options }: Limits & { name?: string; active?: "yes" | "no" },
): Promise<void> {
  const api = await context.api();
  const { id } = await findPlan(api, named);
  const isActive = active === undefined ? undefined : active === "yes";
  const fields = { ...fieldsOf(options), ...defined({ name, is_active: isActive }) };
  const plan = await api.request("PUT /admin/plans/{id}", { ...fields, id });
  reportDone(context, `Plan ${plan.id}, "${plan.name}", is changed.`, plan);
}

export async function remove(
  context: CommandContext,
  named: string,
  { force = false }: { force?: boolean },
): Promise<void> {
  const api = await context.api();
  const plan = await findPlan(api, named);
  const total = await countHolders(api, plan);
  if (force && total > 0) {
    context.output.note(
      `"${plan.name}" is assigned to ${total}: posthorn plans who ${plan.id}. They fall back to the default plan.`,
    );
  }
  // An impossible change is refused by the service, without a question.
  if (!plan.is_default && (force || total === 0))
    await context.confirm(`Delete the plan "${plan.name}" (${plan.id})?`);
  try {
    await api.request("DELETE /admin/plans/{id}", { id: plan.id, force });
  } catch (error) {
    if (!hasCode(error, "plan_in_use")) throw error;
    throw new CliError(
      "conflict",
      `"${plan.name}" is assigned to ${total}.`,
      `See them with: posthorn plans who ${plan.id}. Unassign it everywhere with --force.`,
      { code: "plan_in_use", cause: error },
    );
  }
  reportDone(context, `The plan "${plan.name}" is deleted.`, plan);
}

interface Holder {
  workspace?: string;
  user?: string;
}

function assertOne({ workspace, user }: Holder): void {
  if ((workspace === undefined) === (user === undefined))
    throw new CliError("usage", "Name either --workspace or --user.", "Try: posthorn plans assign --help");
}

export async function assign(context: CommandContext, named: string, holder: Holder): Promise<void> {
  assertOne(holder);
  const api = await context.api();
  const { id: plan_id } = await findPlan(api, named);
  if (holder.workspace !== undefined) {
    const { id, name } = await context.workspace(holder.workspace);
    const done = await api.request("POST /admin/workspaces/{id}/plan", { id, plan_id });
    return reportDone(context, `The workspace "${name}" now has the plan "${done.plan.name}".`, done);
  }
  const { id, email } = await findUser(context, holder.user ?? "");
  const done = await api.request("POST /admin/users/{id}/plan", { id, plan_id });
  reportDone(context, `${email} now has the plan "${done.plan.name}".`, done);
}

export async function unassign(context: CommandContext, holder: Holder): Promise<void> {
  assertOne(holder);
  const api = await context.api();
  if (holder.workspace !== undefined) {
    const { id, name } = await context.workspace(holder.workspace);
    await context.confirm(`Unassign the plan of the workspace "${name}"? The default plan then applies.`);
    await api.request("DELETE /admin/workspaces/{id}/plan", { id });
    return reportDone(context, `The default plan now applies to "${name}".`, {
      workspace_id: id,
      plan_id: null,
    });
  }
  const { id, email } = await findUser(context, holder.user ?? "");
  await context.confirm(`Unassign the plan of ${email}? The default plan then applies.`);
  await api.request("DELETE /admin/users/{id}/plan", { id });
  reportDone(context, `The default plan now applies to ${email}.`, { user_id: id, plan_id: null });
}
