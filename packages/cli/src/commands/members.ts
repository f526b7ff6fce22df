import { Option } from "commander";
import { addVerb, addWorkspaceOption } from "../program/verbs/add-verb.ts";
import { findListed } from "../program/verbs/find-listed.ts";
import { lazily } from "../program/verbs/lazily.ts";
import { members } from "../program/verbs/listed-things.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { readable } from "../terminal/report-done.ts";
import { inviting } from "./members/inviting.ts";

const run = lazily(() => import("./members/actions.ts"));

const find = { member_id: findListed(members) };

export const register: Register = (command, act) => {
  addRouteVerb(command, act, "list", {
    asks: "GET /workspaces/current/members",
    summary: "list a workspace's members, oldest first",
    example: "posthorn members list --workspace Shop",
    isDefault: true,
    columns: [
      { title: "USER", cell: ({ user_id }) => user_id, align: "right" },
      { title: "NAME", cell: ({ name }) => name, narrow: "cut" },
      { title: "E-MAIL", cell: ({ email }) => email },
      { title: "ROLE", cell: ({ role }) => role },
      { title: "SINCE", cell: ({ created_at }) => readable(created_at), narrow: "spare" },
    ],
  });
  addRouteVerb(command, act, "invite <email>", {
    ...inviting,
    example: "posthorn members invite ada@example.com --role editor --workspace Shop",
  });
  addWorkspaceOption(
    addVerb(command, "add <user>", {
      asks: ["GET /admin/workspaces/{id}", "POST /admin/workspaces/{id}/members"],
      summary: "add an account to a workspace without an invitation, and notify its user by e-mail",
      details:
        "For administrators, and at the database: a workspace's owners and admins invite instead. Name the account by id or e-mail address.",
      example: "posthorn members add ada@example.com --role editor --workspace Shop",
    }),
  )
    .addOption(
      new Option("--role <role>", "the member's role; owner if the workspace has none")
        .choices(["owner", "admin", "editor", "viewer"])
        .makeOptionMandatory(),
    )
    .action(act(run("add")));
  addRouteVerb(command, act, "set-role <user> <role>", {
    asks: "PUT /workspaces/current/members/{member_id}",
    summary: "change a member's role to admin, editor or viewer, and notify them by e-mail",
    example: "posthorn members set-role ada@example.com editor --workspace Shop",
    args: ["member_id", "role"],
    find,
    done: ({ message }) => message,
  });
  addRouteVerb(command, act, "remove <user>", {
    asks: "DELETE /workspaces/current/members/{member_id}",
    summary: "remove a member from a workspace",
    details:
      "API keys that they created are the workspace's and stay valid: posthorn api-keys list shows whose each is.",
    example: "posthorn members remove ada@example.com --workspace Shop",
    find,
    confirm: ([named], workspace) => `Remove ${named} from the workspace "${workspace?.name}"?`,
    done: (_, [named]) => `${named} is removed from the workspace.`,
  });
};
