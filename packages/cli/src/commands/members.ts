import type { Register } from "../commands.ts";
import { addVerb, addWorkspaceOption } from "../program/add-verb.ts";
import { lazily } from "../program/lazily.ts";

const run = lazily(() => import("./members/actions.ts"));

export const register: Register = (command, act) => {
  addWorkspaceOption(
    addVerb(command, "list", {
      summary: "list a workspace's members, oldest first",
      example: "posthorn members list --workspace Shop",
      isDefault: true,
    }),
  ).action(act(run("list")));
  addWorkspaceOption(
    addVerb(command, "set-role <user> <role>", {
      summary: "make a member an admin, editor or viewer; they are told by e-mail",
      example: "posthorn members set-role ada@example.com editor --workspace Shop",
    }),
  ).action(act(run("setRole")));
  addWorkspaceOption(
    addVerb(command, "remove <user>", {
      summary: "take a member out of a workspace",
      example: "posthorn members remove ada@example.com --workspace Shop",
    }),
  ).action(act(run("remove")));
};
