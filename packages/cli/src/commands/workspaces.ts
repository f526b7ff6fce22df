import type { Register } from "../commands.ts";
import { addPaging, addVerb } from "../program/add-verb.ts";
import { lazily } from "../program/lazily.ts";

const run = lazily(() => import("./workspaces/actions.ts"));

export const register: Register = (command, act) => {
  addPaging(
    addVerb(command, "list", {
      summary: "list workspaces, newest first",
      example: "posthorn workspaces list --query shop",
      isDefault: true,
    }),
  )
    .option("--query <text>", "only those with this in their name")
    .action(act(run("list")));
  addVerb(command, "show <workspace>", {
    summary: "show a workspace, named by id or name",
    example: "posthorn workspaces show Shop",
  }).action(act(run("show")));
  addVerb(command, "create <name>", {
    summary: "make a workspace for a user, who becomes its owner",
    example: "posthorn workspaces create Shop --owner ada@example.com",
  })
    .requiredOption("--owner <user>", "the owner, by id or e-mail address")
    .action(act(run("create")));
  addVerb(command, "trust <workspace>", {
    summary: "let a workspace send from the server's own sender and through its mail server",
    example: "posthorn workspaces trust Shop",
  }).action(act(run("trust")));
  addVerb(command, "distrust <workspace>", {
    summary: "withdraw that trust: the next send is refused",
    example: "posthorn workspaces distrust Shop",
  }).action(act(run("distrust")));
};
