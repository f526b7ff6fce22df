import { memberWire } from "@posthorn/http/wire";
import { CliError } from "../../program/cli-error.ts";
import type { CommandContext } from "../../program/command-context.ts";
import { findUser, findWorkspace } from "../../program/find-named.ts";
import { operatorCall } from "../../program/operator-call.ts";
import { readable, tellDone } from "../../terminal/tell.ts";

interface InWorkspace {
  workspace: string;
}

export async function list(context: CommandContext, options: InWorkspace): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, options.workspace);
  context.output.list(
    await posthorn.members.list({}, operatorCall(workspace.id)),
    [
      { title: "USER", cell: ({ userId }) => userId, align: "right" },
      { title: "NAME", cell: ({ name }) => name },
      { title: "E-MAIL", cell: ({ email }) => email },
      { title: "ROLE", cell: ({ role }) => role },
      { title: "SINCE", cell: ({ createdAt }) => readable(createdAt) },
    ],
    memberWire.from,
  );
}

export async function setRole(
  context: CommandContext,
  named: string,
  role: string,
  options: InWorkspace,
): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, options.workspace);
  const { id: memberId } = await findUser(posthorn, named);
  // Checked by the service, which knows why a role can't be given.
  const given = role as "admin" | "editor" | "viewer";
  const { message } = await posthorn.members.setRole({ memberId, role: given }, operatorCall(workspace.id));
  tellDone(context, message, memberWire.from(await findMember(context, workspace.id, memberId)));
}

export async function remove(context: CommandContext, named: string, options: InWorkspace): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, options.workspace);
  const { id: memberId } = await findUser(posthorn, named);
  const member = await findMember(context, workspace.id, memberId);
  await context.confirm(
    `Remove ${member.name} <${member.email}>, ${member.role}, from workspace "${workspace.name}"?`,
  );
  await posthorn.members.remove({ memberId }, operatorCall(workspace.id));
  tellDone(context, `${member.email} is no member of "${workspace.name}" any more.`, memberWire.from(member));
}

async function findMember(context: CommandContext, workspaceId: number, userId: number) {
  const posthorn = await context.posthorn();
  const members = await posthorn.members.list({}, operatorCall(workspaceId));
  const member = members.find((one) => one.userId === userId);
  if (member === undefined) throw new CliError("not_found", `The workspace has no member ${userId}.`);
  return member;
}
