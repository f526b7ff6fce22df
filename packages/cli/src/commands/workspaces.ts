import { addPaging, addVerb } from "../program/verbs/add-verb.ts";
import { lazily } from "../program/verbs/lazily.ts";
import type { Register } from "../program/verbs/register.ts";

const run = lazily(() => import("./workspaces/actions.ts"));

export const register: Register = (command, act) => {
  addPaging(
    addVerb(command, "list", {
      summary: "list workspaces, newest first: all of them, or on a server those of the login",
      example: "posthorn workspaces list --query shop",
      isDefault: true,
      asks: ["GET /admin/workspaces", "GET /workspaces"],
    }),
  )
    .option("--query <text>", "only workspaces with this text in their name")
    .option("--everybody", "on a server, list everybody's workspaces, for administrators")
    .action(act(run("list")));
  addVerb(command, "show <workspace>", {
    summary: "show a workspace, named by id or name",
    example: "posthorn workspaces show Shop",
    asks: ["GET /workspaces/current", "GET /workspaces/current/plan", "GET /admin/workspaces/{id}/plan"],
  }).action(act(run("show")));
  addVerb(command, "create <name>", {
    summary: "create a workspace for a user, who becomes its owner; on a server, for the login's user",
    example: "posthorn workspaces create Shop --owner ada@example.com",
    asks: ["POST /workspaces"],
  })
    .option("--owner <user>", "the owner, by id or e-mail address")
    .action(act(run("create")));
  addVerb(command, "ensure <external-id>", {
    asks: ["PUT /admin/workspaces-by-external-id/{externalId}"],
    summary: "create or update the workspace with an external id, with this name",
    details: "Created if there is none, renamed if its name differs. It is trusted, and needs no owner.",
    example: "posthorn workspaces ensure tenant-7 --name Acme --owner edith@acme.example",
  })
    .requiredOption("--name <name>", "its name")
    .option("--owner <user>", "the owner if it has none, by id or e-mail address")
    .action(act(run("ensure")));
  addVerb(command, "update <workspace> <name>", {
    summary: "rename a workspace",
    example: "posthorn workspaces update Shop 'The Shop'",
    args: ["workspace_id", "name"],
    asks: ["PUT /workspaces/current"],
  }).action(act(run("rename")));
  addVerb(command, "delete <workspace>", {
    summary: "delete a workspace and everything in it",
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
    summary: "trust a workspace: it may send from the server's default sender and through its mail server",
    example: "posthorn workspaces trust Shop",
    asks: ["POST /admin/workspaces/{id}/trust"],
  }).action(act(run("trust")));
  addVerb(command, "distrust <workspace>", {
    summary:
      "withdraw the trust in a workspace: it sends only from verified domains, or through mail servers, of its own",
    example: "posthorn workspaces distrust Shop",
    asks: ["DELETE /admin/workspaces/{id}/trust"],
  }).action(act(run("distrust")));
};
