import type { Command } from "commander";
import { oneOf, wholeNumber } from "../program/settings/option-values.ts";
import { addPaging, addVerb } from "../program/verbs/add-verb.ts";
import { findListed } from "../program/verbs/find-listed.ts";
import { lazily } from "../program/verbs/lazily.ts";
import { plans } from "../program/verbs/listed-things.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { planColumns, planLimits } from "./plans/plan-table.ts";

const run = lazily(() => import("./plans/actions.ts"));

export const register: Register = (command, act) => {
  addRouteVerb(command, act, "list", {
    asks: "GET /admin/plans",
    summary: "list plans",
    example: "posthorn plans",
    isDefault: true,
    columns: planColumns,
  });
  addVerb(command, "show <plan>", {
    asks: ["GET /admin/plans/{id}", "GET /admin/plans/{id}/holders"],
    summary: "show a plan, named by id or name, and how many workspaces and users have it",
    example: "posthorn plans show Free",
  }).action(act(run("show")));
  addVerb(command, "compare [plans...]", {
    summary: "compare plans side by side, with differences marked by ≠",
    example: ["posthorn plans compare Free Pro", "posthorn plans compare"],
  }).action(act(run("compare")));
  addPaging(
    addVerb(command, "who <plan>", {
      asks: ["GET /admin/plans/{id}/holders"],
      summary: "list the workspaces and users that a plan is assigned to",
      example: "posthorn plans who Free",
    }),
  ).action(act(run("who")));
  addLimits(
    addVerb(command, "create <name>", {
      asks: ["POST /admin/plans"],
      summary: "create a plan; a limit left out is unlimited",
      example: "posthorn plans create Free --hourly-rate-limit 100 --daily-rate-limit 500 --default",
    }),
  )
    .option("--default", "make it the default plan")
    .action(act(run("create")));
  addLimits(
    addVerb(command, "update <plan>", {
      asks: ["PUT /admin/plans/{id}"],
      summary: "change the given fields of a plan, for all who have it",
      example: "posthorn plans update Free --daily-rate-limit 1000",
    }),
  )
    .option("--name <name>", "another name")
    .option("--active <yes or no>", "whether it can be assigned", oneOf("yes", "no"))
    .action(act(run("update")));
  addVerb(command, "delete <plan>", {
    asks: ["DELETE /admin/plans/{id}"],
    summary: "delete a plan that is not assigned, or with --force one that is",
    example: "posthorn plans delete Trial --force",
  })
    .option("--force", "first unassign it from every workspace and user")
    .action(act(run("remove")));
  addRouteVerb(command, act, "set-default <plan>", {
    asks: "PATCH /admin/plans/{id}/default",
    summary: "make a plan the default, for all who have none assigned",
    example: "posthorn plans set-default Free",
    find: { id: findListed(plans) },
    done: ({ name }) => `"${name}" is now the default plan.`,
  });
  addHolder(
    addVerb(command, "assign <plan>", {
      asks: ["POST /admin/workspaces/{id}/plan", "POST /admin/users/{id}/plan"],
      summary: "assign a plan to a workspace or a user",
      details:
        "A workspace's plan limits its sending; a user's plan limits how many workspaces they may own.",
      example: [
        "posthorn plans assign Pro --workspace Shop",
        "posthorn plans assign Pro --user ada@example.com",
      ],
    }),
  ).action(act(run("assign")));
  addHolder(
    addVerb(command, "unassign", {
      asks: ["DELETE /admin/workspaces/{id}/plan", "DELETE /admin/users/{id}/plan"],
      summary: "unassign the plan of a workspace or a user: the default applies again",
      example: "posthorn plans unassign --workspace Shop",
    }),
  ).action(act(run("unassign")));
};

function addLimits(verb: Command): Command {
  verb.option("--description <text>", "a description");
  for (const { field, words } of planLimits) {
    verb.option(
      `--${field.replaceAll("_", "-")} <number>`,
      `${words}; 0 is unlimited`,
      wholeNumber(0, 2_147_483_647),
    );
  }
  return verb;
}

function addHolder(verb: Command): Command {
  return verb.option("--workspace <id or name>", "the workspace").option("--user <id or e-mail>", "the user");
}
