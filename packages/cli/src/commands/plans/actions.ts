import { planWire, userPlanWire, workspacePlanWire } from "@posthorn/http/wire";
import type { Paging } from "../../program/add-verb.ts";
import { CliError } from "../../program/cli-error.ts";
import type { CommandContext } from "../../program/command-context.ts";
import { findPlan, findUser, findWorkspace } from "../../program/find-named.ts";
import { operatorCall } from "../../program/operator-call.ts";
import { tellDone, tellPage } from "../../terminal/tell.ts";
import { comparisonOf, planColumns, planLimits, planLines } from "./plan-table.ts";

export async function list(context: CommandContext): Promise<void> {
  const posthorn = await context.posthorn();
  context.output.list(await posthorn.plans.list({}, operatorCall()), planColumns, planWire.from);
}

export async function show(context: CommandContext, named: string): Promise<void> {
  const posthorn = await context.posthorn();
  const plan = await findPlan(posthorn, named);
  const { total } = await posthorn.plans.listHolders({ planId: plan.id, size: 1 }, operatorCall());
  context.output.record(
    { ...planLines(plan), "assigned to": `${total} (posthorn plans who ${plan.id})` },
    planWire.from(plan),
  );
}

export async function compare(context: CommandContext, named: string[]): Promise<void> {
  const posthorn = await context.posthorn();
  const plans =
    named.length === 0
      ? await posthorn.plans.list({}, operatorCall())
      : await Promise.all(named.map((name) => findPlan(posthorn, name)));
  if (context.output.json) return context.output.list(plans, planColumns, planWire.from);
  const { rows, columns } = comparisonOf(plans);
  context.output.list(plans.length === 0 ? [] : rows, columns);
}

export async function who(context: CommandContext, named: string, paging: Paging): Promise<void> {
  const posthorn = await context.posthorn();
  const plan = await findPlan(posthorn, named);
  const { page, size } = paging;
  const found = await posthorn.plans.listHolders({ planId: plan.id, page, size }, operatorCall());
  tellPage(context, found, {
    columns: [
      { title: "KIND", cell: ({ kind }) => kind },
      { title: "ID", cell: ({ id }) => id, align: "right" },
      { title: "NAME", cell: ({ name }) => name },
      { title: "E-MAIL", cell: ({ email }) => email },
    ],
    wire: ({ kind, id, name, email }) => ({ kind, id, name, ...(email === undefined ? {} : { email }) }),
  });
  if (plan.isDefault)
    context.output.note("It is the default plan too: all that have none assigned are under it.");
}

interface Fields extends Partial<Record<(typeof planLimits)[number]["field"], number>> {
  description?: string;
}

/** What of the options is part of a plan. */
function fieldsOf(options: Fields): Fields {
  const fields: Fields = {};
  if (options.description !== undefined) fields.description = options.description;
  for (const { field } of planLimits) if (options[field] !== undefined) fields[field] = options[field];
  return fields;
}

export async function create(
  context: CommandContext,
  name: string,
  options: Fields & { default?: boolean },
): Promise<void> {
  const posthorn = await context.posthorn();
  const plan = await posthorn.plans.create(
    { name, ...fieldsOf(options), ...(options.default === true ? { isDefault: true } : {}) },
    operatorCall(),
  );
  tellDone(context, `Plan ${plan.id}, "${plan.name}", is made.`, planWire.from(plan));
}

export async function update(
  context: CommandContext,
  named: string,
  { name, active, ...options }: Fields & { name?: string; active?: "yes" | "no" },
): Promise<void> {
  const posthorn = await context.posthorn();
  const { id: planId } = await findPlan(posthorn, named);
  const plan = await posthorn.plans.update(
    {
      planId,
      ...fieldsOf(options),
      ...(name === undefined ? {} : { name }),
      ...(active === undefined ? {} : { isActive: active === "yes" }),
    },
    operatorCall(),
  );
  tellDone(context, `Plan ${plan.id}, "${plan.name}", is changed.`, planWire.from(plan));
}

export async function remove(
  context: CommandContext,
  named: string,
  { force = false }: { force?: boolean },
): Promise<void> {
  const posthorn = await context.posthorn();
  const plan = await findPlan(posthorn, named);
  const { total } = await posthorn.plans.listHolders({ planId: plan.id, size: 1 }, operatorCall());
  if (force && total > 0) {
    context.output.note(
      `"${plan.name}" is assigned to ${total}: posthorn plans who ${plan.id}. They fall back to the default plan.`,
    );
  }
  // What can't be done is refused by the service, and needs no question.
  if (!plan.isDefault && (force || total === 0))
    await context.confirm(`Delete the plan "${plan.name}" (${plan.id})?`);
  try {
    await posthorn.plans.delete({ planId: plan.id, force }, operatorCall());
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "plan_in_use")) throw error;
    throw new CliError(
      "conflict",
      `"${plan.name}" is assigned to ${total}.`,
      `See them with: posthorn plans who ${plan.id}. Unassign it everywhere with --force.`,
      { code: "plan_in_use", cause: error },
    );
  }
  tellDone(context, `The plan "${plan.name}" is deleted.`, planWire.from(plan));
}

export async function setDefault(context: CommandContext, named: string): Promise<void> {
  const posthorn = await context.posthorn();
  const { id: planId } = await findPlan(posthorn, named);
  const plan = await posthorn.plans.setDefault({ planId }, operatorCall());
  tellDone(context, `"${plan.name}" is the default plan now.`, planWire.from(plan));
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
  const posthorn = await context.posthorn();
  const { id: planId } = await findPlan(posthorn, named);
  if (holder.workspace !== undefined) {
    const workspace = await findWorkspace(posthorn, holder.workspace);
    const done = await posthorn.plans.assignToWorkspace(
      { workspaceId: workspace.id, planId },
      operatorCall(),
    );
    return tellDone(
      context,
      `Workspace "${workspace.name}" is under "${done.plan.name}" now.`,
      workspacePlanWire.from(done),
    );
  }
  const user = await findUser(posthorn, holder.user ?? "");
  const done = await posthorn.plans.assignToUser({ userId: user.id, planId }, operatorCall());
  tellDone(context, `${user.email} is under "${done.plan.name}" now.`, userPlanWire.from(done));
}

export async function unassign(context: CommandContext, holder: Holder): Promise<void> {
  assertOne(holder);
  const posthorn = await context.posthorn();
  if (holder.workspace !== undefined) {
    const { id: workspaceId, name } = await findWorkspace(posthorn, holder.workspace);
    await context.confirm(`Take the workspace "${name}" off its plan, back to the default one?`);
    await posthorn.plans.unassignFromWorkspace({ workspaceId }, operatorCall());
    return tellDone(context, `"${name}" is under the default plan now.`, {
      workspace_id: workspaceId,
      plan_id: null,
    });
  }
  const { id: userId, email } = await findUser(posthorn, holder.user ?? "");
  await context.confirm(`Take ${email} off their plan, back to the default one?`);
  await posthorn.plans.unassignFromUser({ userId }, operatorCall());
  tellDone(context, `${email} is under the default plan now.`, { user_id: userId, plan_id: null });
}
