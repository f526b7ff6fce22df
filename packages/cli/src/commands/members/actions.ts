import type { RequestFields } from "@posthorn/client";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { findUser } from "../../program/verbs/find-user.ts";
import { reportDone } from "../../terminal/report-done.ts";

interface NewMember {
  role: RequestFields<"POST /admin/workspaces/{id}/members">["role"];
  workspace?: string;
}

export async function add(
  context: CommandContext,
  named: string,
  { role, workspace }: NewMember,
): Promise<void> {
  const api = await context.api();
  const { id: userId } = await findUser(context, named);
  const { id, name } = await context.workspace(workspace);
  const member = await api.request("POST /admin/workspaces/{id}/members", { id, user_id: userId, role });
  reportDone(
    context,
    `${member.email} now has the role ${role} in "${name}", and was notified by e-mail.`,
    member,
  );
}
