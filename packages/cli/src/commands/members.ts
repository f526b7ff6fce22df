import { memberWire } from "@posthorn/http/wire";
import { addVerb, addWorkspaceOption } from "../add-verb.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Register } from "../commands.ts";
import { findUser, findWorkspace } from "../find-named.ts";
import { operatorCall } from "../operator-call.ts";
import { readable, tellDone } from "../tell.ts";

export const register: Register = (command, act) => {
  addWorkspaceOption(
    addVerb(command, "list", {
      summary: "list a workspace's members, oldest first",
      example: "posthorn members list --workspace Shop",
      isDefault: true,
    }),
  ).action(act(list));
  addWorkspaceOption(
    addVerb(command, "set-role <user> <role>", {
      summary: "make a member an admin, editor or viewer; they are told by e-mail",
      example: "posthorn members set-role ada@example.com editor --workspace Shop",
    }),
  ).action(act(setRole));
  addWorkspaceOption(
    addVerb(command, "remove <user>", {
      summary: "take a member out of a workspace",
      example: "posthorn members remove ada@example.com --workspace Shop",
    }),
  ).action(act(remove));
};

interface InWorkspace {
  workspace: string;
}

async function list(context: CommandContext, options: InWorkspace): Promise<void> {
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

async function setRole(
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

async function remove(context: CommandContext, named: string, options: InWorkspace): Promise<void> {
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
