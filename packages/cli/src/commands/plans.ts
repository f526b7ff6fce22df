import type { Command } from "commander";
import type { Register } from "../commands.ts";
import { addPaging, addVerb } from "../program/add-verb.ts";
import { lazily } from "../program/lazily.ts";
import { oneOf, wholeNumber } from "../program/option-values.ts";
import { planLimits } from "./plans/plan-table.ts";

const run = lazily(() => import("./plans/actions.ts"));

export const register: Register = (command, act) => {
  addVerb(command, "list", { summary: "list plans", example: "posthorn plans", isDefault: true }).action(
    act(run("list")),
  );
  addVerb(command, "show <plan>", {
    summary: "show a plan, named by id or name, and how many have it",
    example: "posthorn plans show Free",
  }).action(act(run("show")));
  addVerb(command, "compare [plans...]", {
    summary: "put plans side by side, what differs marked with ≠",
    example: ["posthorn plans compare Free Pro", "posthorn plans compare"],
  }).action(act(run("compare")));
  addPaging(
    addVerb(command, "who <plan>", {
      summary: "list the workspaces and users that a plan is assigned to",
      example: "posthorn plans who Free",
    }),
  ).action(act(run("who")));
  addLimits(
    addVerb(command, "create <name>", {
      summary: "make a plan; a limit left out is unlimited",
      example: "posthorn plans create Free --hourly-rate-limit 100 --daily-rate-limit 500 --default",
    }),
  )
    .option("--default", "make it the default plan")
    .action(act(run("create")));
  addLimits(
    addVerb(command, "update <plan>", {
      summary: "change what is given of a plan, for all who have it",
      example: "posthorn plans update Free --daily-rate-limit 1000",
    }),
  )
    .option("--name <name>", "another name")
    .option("--active <yes or no>", "whether it can be assigned", oneOf("yes", "no"))
    .action(act(run("update")));
  addVerb(command, "delete <plan>", {
    summary: "delete a plan that nobody has; with --force also one that is assigned",
    example: "posthorn plans delete Trial --force",
  })
    .option("--force", "first unassign it from every workspace and user")
    .action(act(run("remove")));
  addVerb(command, "set-default <plan>", {
    summary: "make a plan the one of all that have none assigned",
    example: "posthorn plans set-default Free",
  }).action(act(run("setDefault")));
  addHolder(
    addVerb(command, "assign <plan>", {
      summary: "put a workspace or a user under a plan",
      details: "A workspace's plan governs its sending; a user's, how many workspaces they may own.",
      example: [
        "posthorn plans assign Pro --workspace Shop",
        "posthorn plans assign Pro --user ada@example.com",
      ],
    }),
  ).action(act(run("assign")));
  addHolder(
    addVerb(command, "unassign", {
      summary: "put a workspace or a user back under the default plan",
      example: "posthorn plans unassign --workspace Shop",
    }),
  ).action(act(run("unassign")));
};

function addLimits(verb: Command): Command {
  verb.option("--description <text>", "a description");
  for (const { option, words } of planLimits) {
    verb.option(`--${option} <number>`, `${words}; 0 is unlimited`, wholeNumber(0, 2_147_483_647));
  }
  return verb;
}

function addHolder(verb: Command): Command {
  return verb.option("--workspace <id or name>", "the workspace").option("--user <id or e-mail>", "the user");
}
