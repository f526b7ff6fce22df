import type { Register } from "../commands.ts";
import { addVerb, addWorkspaceOption } from "../program/add-verb.ts";
import { lazily } from "../program/lazily.ts";

const run = lazily(() => import("./stylesheets/actions.ts"));

export const register: Register = (command, act) => {
  addWorkspaceOption(
    addVerb(command, "list", {
      summary: "list a workspace's stylesheets by name, the order they are inlined in",
      example: "posthorn stylesheets list --workspace Shop",
      isDefault: true,
    }),
  ).action(act(run("list")));
  addWorkspaceOption(
    addVerb(command, "push <folder>", {
      summary: "bring a workspace's stylesheets in step with the *.css of a folder",
      details: "Shows the difference first. Every e-mail is styled so at once. Nothing is deleted.",
      example: "posthorn stylesheets push mail/ --workspace Shop --dry-run",
    }),
  )
    .option("--dry-run", "show the difference and do nothing")
    .action(act(run("push")));
  addWorkspaceOption(
    addVerb(command, "pull <folder>", {
      summary: "bring the *.css of a folder in step with a workspace's stylesheets",
      details: "A file that says something else is overwritten only after a yes, or with --yes.",
      example: "posthorn stylesheets pull mail/ --workspace Shop",
    }),
  )
    .option("--dry-run", "show the difference and do nothing")
    .action(act(run("pull")));
};
