import { administeredWorkspaceWire, workspaceWire } from "@posthorn/http/wire";
import type { Paging } from "../../program/add-verb.ts";
import type { CommandContext } from "../../program/command-context.ts";
import { findUser, findWorkspace } from "../../program/find-named.ts";
import { operatorCall } from "../../program/operator-call.ts";
import { readable, tellDone, tellPage } from "../../terminal/tell.ts";

export async function list(
  context: CommandContext,
  { query, page, size }: Paging & { query?: string },
): Promise<void> {
  const posthorn = await context.posthorn();
  const filter = query === undefined ? {} : { q: query };
  const found = await posthorn.workspaces.listAll({ page, size, ...filter }, operatorCall());
  tellPage(context, found, {
    columns: [
      { title: "ID", cell: ({ id }) => id, align: "right" },
      { title: "NAME", cell: ({ name }) => name },
      { title: "TRUSTED", cell: ({ isTrusted }) => isTrusted },
      { title: "PLAN", cell: ({ planId }) => planId, align: "right" },
      { title: "CREATED", cell: ({ createdAt }) => readable(createdAt) },
    ],
    wire: administeredWorkspaceWire.from,
  });
}

export async function show(context: CommandContext, named: string): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, named);
  const members = await posthorn.members.list({}, operatorCall(workspace.id));
  const plan = await planOf(context, workspace.id);
  context.output.record(
    {
      id: workspace.id,
      name: workspace.name,
      owner: members.find(({ role }) => role === "owner")?.email,
      members: members.length,
      plan: plan === undefined ? "none: everything is unlimited" : `${plan.plan.name} (${plan.source})`,
      created: readable(workspace.createdAt),
    },
    workspaceWire.from(workspace),
  );
}

async function planOf(context: CommandContext, workspaceId: number) {
  const posthorn = await context.posthorn();
  try {
    return await posthorn.plans.getForWorkspace({ workspaceId }, operatorCall());
  } catch (error) {
    // Neither an assigned plan nor a default one.
    if (error instanceof Error && "code" in error && error.code === "not_found") return undefined;
    throw error;
  }
}

export async function create(
  context: CommandContext,
  name: string,
  { owner }: { owner: string },
): Promise<void> {
  const posthorn = await context.posthorn();
  const user = await findUser(posthorn, owner);
  const workspace = await posthorn.workspaces.createFor({ name, userId: user.id }, operatorCall());
  tellDone(
    context,
    `Workspace ${workspace.id}, "${workspace.name}", belongs to ${user.email} now.`,
    workspaceWire.from(workspace),
  );
  const alike = await posthorn.workspaces.listAll({ q: workspace.name, size: 100 }, operatorCall());
  const others = alike.items.filter(({ id, name }) => name === workspace.name && id !== workspace.id);
  if (others.length === 0) return;
  const ids = others.map(({ id }) => id).join(", ");
  context.output.note(
    `There is another workspace of this name already (${ids}): commands find neither by its name from now on. Name it by its id.`,
  );
}

export async function trust(context: CommandContext, named: string): Promise<void> {
  const posthorn = await context.posthorn();
  const { id } = await findWorkspace(posthorn, named);
  const workspace = await posthorn.workspaces.trust({ workspaceId: id }, operatorCall());
  tellDone(
    context,
    `Workspace ${id}, "${workspace.name}", is trusted.`,
    administeredWorkspaceWire.from(workspace),
  );
}

export async function distrust(context: CommandContext, named: string): Promise<void> {
  const posthorn = await context.posthorn();
  const { id } = await findWorkspace(posthorn, named);
  const workspace = await posthorn.workspaces.distrust({ workspaceId: id }, operatorCall());
  tellDone(
    context,
    `Workspace ${id}, "${workspace.name}", is trusted no longer.`,
    administeredWorkspaceWire.from(workspace),
  );
}
