import { addPaging, addVerb } from "../program/add-verb.ts";
import { lazily } from "../program/lazily.ts";
import type { Register } from "../program/register.ts";

const run = lazily(() => import("./workspaces/actions.ts"));

export const register: Register = (command, act) => {
  addPaging(
    addVerb(command, "list", {
      summary: "list workspaces, newest first: all of them, on a server the login's own",
      example: "posthorn workspaces list --query shop",
      isDefault: true,
      asks: ["GET /admin/workspaces", "GET /workspaces"],
    }),
  )
    .option("--query <text>", "only those with this in their name")
    .option("--everybody", "on a server, those of everybody, for administrators")
    .action(act(run("list")));
  addVerb(command, "show <workspace>", {
    summary: "show a workspace, named by id or name",
    example: "posthorn workspaces show Shop",
    asks: ["GET /workspaces/current", "GET /workspaces/current/plan", "GET /admin/workspaces/{id}/plan"],
  }).action(act(run("show")));
  addVerb(command, "create <name>", {
    summary: "make a workspace for a user, who becomes its owner; on a server, for the login's user",
    example: "posthorn workspaces create Shop --owner ada@example.com",
    asks: ["POST /workspaces"],
  })
    .option("--owner <user>", "the owner, by id or e-mail address")
    .action(act(run("create")));
  addVerb(command, "ensure <external-id>", {
    asks: ["PUT /admin/workspaces/by-external-id/{externalId}"],
    summary: "make sure that there is a workspace under an id of your own, with this name",
    details: "Made where there is none, renamed where it has another. It is trusted, and needs no owner.",
    example: "posthorn workspaces ensure tenant-7 --name Acme --owner edith@acme.example",
  })
    .requiredOption("--name <name>", "its name")
    .option("--owner <user>", "the owner where it has none, by id or e-mail address")
    .action(act(run("ensure")));
  addVerb(command, "update <workspace> <name>", {
    summary: "give a workspace another name",
    example: "posthorn workspaces update Shop 'The Shop'",
    args: ["workspace_id", "name"],
    asks: ["PUT /workspaces/current"],
  }).action(act(run("rename")));
  addVerb(command, "delete <workspace>", {
    summary: "delete a workspace with all that is in it",
    example: "posthorn workspaces delete Shop",
    asks: ["DELETE /workspaces/current"],
  }).action(act(run("remove")));
  addVerb(command, "transfer <workspace> <member>", {
    summary: "make a member the owner; the former owner becomes an admin",
    example: "posthorn workspaces transfer Shop ada@example.com",
    asks: ["POST /workspaces/current/transfer-ownership"],
    args: ["workspace_id", "user_id"],
  }).action(act(run("transfer")));
  addVerb(command, "trust <workspace>", {
    summary: "let a workspace send from the server's own sender and through its mail server",
    example: "posthorn workspaces trust Shop",
    asks: ["POST /admin/workspaces/{id}/trust"],
  }).action(act(run("trust")));
  addVerb(command, "distrust <workspace>", {
    summary: "withdraw that trust: the next send is refused",
    example: "posthorn workspaces distrust Shop",
    asks: ["DELETE /admin/workspaces/{id}/trust"],
  }).action(act(run("distrust")));
};
