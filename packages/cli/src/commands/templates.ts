import type { Command } from "commander";
import type { Register } from "../commands.ts";
import { addVerb, addWorkspaceOption } from "../program/add-verb.ts";
import { lazily } from "../program/lazily.ts";
import { wholeNumber } from "../program/option-values.ts";
import { addWaiting } from "../service/wait-for-email.ts";

const reading = lazily(() => import("./templates/reading.ts"));
const syncing = lazily(() => import("./templates/syncing.ts"));
const trying = lazily(() => import("./templates/trying.ts"));

export const register: Register = (command, act) => {
  const verb = (usage: string, help: Parameters<typeof addVerb>[2]): Command =>
    addWorkspaceOption(addVerb(command, usage, help));
  verb("list", {
    summary: "list a workspace's templates",
    example: "posthorn templates list --workspace Shop",
    isDefault: true,
  }).action(act(reading("list")));
  verb("show <template>", {
    summary: "show a template, named by name or id, and what its active version says",
    example: "posthorn templates show welcome --workspace Shop",
  }).action(act(reading("show")));
  verb("versions <template>", {
    summary: "list a template's versions, newest first",
    example: "posthorn templates versions welcome --workspace Shop",
  }).action(act(reading("versions")));
  verb("diff <template> [from] [to]", {
    summary: "show what differs between two versions (default: from the active to the newest)",
    example: [
      "posthorn templates diff welcome --workspace Shop",
      "posthorn templates diff welcome 2 5 --workspace Shop",
    ],
  }).action(act(reading("diff")));
  verb("push <folder> [names...]", {
    summary: "bring a workspace in step with a folder of name.html, name.txt, name.json and *.css",
    details:
      "Shows the difference first. What differs becomes a new version, which is sent only once it is active; stylesheets count at once. Nothing is deleted. Stopped, it goes on where it was when run again.",
    example: [
      "posthorn templates push mail/ --workspace Shop --dry-run",
      "posthorn templates push mail/ welcome --workspace Shop --activate",
    ],
  })
    .option("--dry-run", "show the difference and do nothing")
    .option("--activate", "make what is pushed the version that is sent")
    .action(act(syncing("push")));
  verb("pull <folder> [names...]", {
    summary:
      "bring a folder in step with a workspace: the newest version of each template, and the stylesheets",
    details:
      "Shows the difference first. A file that says something else is overwritten only after a yes, or with --yes.",
    example: "posthorn templates pull mail/ --workspace Shop",
  })
    .option("--dry-run", "show the difference and do nothing")
    .option("--active", "take the active versions instead of the newest")
    .action(act(syncing("pull")));
  addVersion(
    verb("preview <template>", {
      summary: "render a version with its sample data, or with your own, stylesheets inlined",
      example: [
        "posthorn templates preview welcome --workspace Shop > welcome.html",
        `posthorn templates preview welcome --workspace Shop --format text --data '{"name": "Ada"}'`,
      ],
    }),
  )
    .option("--format <format>", "html, text or subject (default: html, or text where there is no html)")
    .action(act(trying("preview")));
  addWaiting(
    addVersion(
      verb("test <template>", {
        summary: "send a version to yourself, marked as a test",
        example: "posthorn templates test welcome --to ada@example.com --newest --workspace Shop",
      }),
    ).requiredOption("--to <addresses...>", "who it goes to"),
  ).action(act(trying("test")));
  verb("activate <template> [number]", {
    summary: "make a version (default: the newest) the one that is sent",
    example: "posthorn templates activate welcome 3 --workspace Shop",
  }).action(act(trying("activate")));
};

function addVersion(verb: Command): Command {
  return verb
    .option("--newest", "the newest version (default: the active one)")
    .option("--version-number <number>", "this version", wholeNumber(1, 1_000_000_000))
    .option("--data <json>", "placeholder values: JSON, @file, or - for standard input");
}
