import { type Command, Option } from "commander";
import { wholeNumber } from "../program/settings/option-values.ts";
import { addVerb, addWorkspaceOption } from "../program/verbs/add-verb.ts";
import { findListed } from "../program/verbs/find-listed.ts";
import { lazily } from "../program/verbs/lazily.ts";
import { templates } from "../program/verbs/listed-things.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { addWaiting } from "../service/wait-for-email.ts";
import { readable } from "../terminal/report-done.ts";

const reading = lazily(() => import("./templates/reading.ts"));
const syncing = lazily(() => import("./templates/syncing.ts"));
const typing = lazily(() => import("./templates/types.ts"));
const trying = lazily(() => import("./templates/trying.ts"));

const find = findListed(templates);

export const register: Register = (command, act) => {
  const verb = (usage: string, help: Parameters<typeof addVerb>[2]): Command =>
    addWorkspaceOption(addVerb(command, usage, help));
  addRouteVerb(command, act, "list", {
    asks: "GET /workspaces/current/templates",
    summary: "list a workspace's templates",
    example: "posthorn templates list --workspace Shop",
    isDefault: true,
    pagesFrom: 1,
    columns: [
      { title: "NAME", cell: ({ name }) => name },
      { title: "LANGUAGE", cell: ({ default_language }) => default_language, narrow: "spare" },
      { title: "CHANGED", cell: ({ updated_at }) => readable(updated_at) },
      { title: "DESCRIPTION", cell: ({ description }) => description, narrow: "cut" },
      { title: "ID", cell: ({ id }) => id, narrow: "spare" },
    ],
  });
  addRouteVerb(command, act, "show <template>", {
    asks: "GET /workspaces/current/templates/{id}",
    summary: "show a template, named by name or id, with its active version",
    example: "posthorn templates show welcome --workspace Shop",
    find: { id: find },
    columns: [
      { title: "id", cell: ({ id }) => id },
      { title: "name", cell: ({ name }) => name },
      { title: "description", cell: ({ description }) => description },
      { title: "language", cell: ({ default_language }) => default_language },
      {
        title: "active version",
        cell: ({ version_number, active_version_id }) => `${version_number} (${active_version_id})`,
      },
      { title: "subject", cell: ({ subject }) => subject },
      { title: "html", cell: ({ html }) => `${html.length} characters` },
      { title: "text", cell: ({ text }) => `${text.length} characters` },
      { title: "sample data", cell: ({ sample_data }) => Object.keys(sample_data).join(", ") },
      { title: "changed", cell: ({ updated_at }) => readable(updated_at) },
    ],
  });
  addRouteVerb(command, act, "versions <template>", {
    asks: "GET /workspaces/current/templates/{templateId}/versions",
    summary: "list a template's versions, newest first",
    example: "posthorn templates versions welcome --workspace Shop",
    find: { templateId: find },
    pagesFrom: 0,
    columns: [
      { title: "NUMBER", cell: ({ version_number }) => version_number, align: "right" },
      { title: "ACTIVE", cell: ({ is_active }) => (is_active ? "yes" : "no") },
      { title: "SUBJECT", cell: ({ subject }) => subject, narrow: "cut" },
      { title: "NOTE", cell: ({ note }) => note, narrow: "cut" },
      { title: "CREATED", cell: ({ created_at }) => readable(created_at) },
      { title: "ID", cell: ({ id }) => id, narrow: "spare" },
    ],
  });
  verb("diff <template> [from] [to]", {
    args: ["template_id"],
    asks: ["GET /workspaces/current/templates/{templateId}/versions/{versionId}"],
    summary: "show the differences between two versions (default: from the active to the newest)",
    example: [
      "posthorn templates diff welcome --workspace Shop",
      "posthorn templates diff welcome 2 5 --workspace Shop",
    ],
  }).action(act(reading("diff")));
  verb("push <folder> [names...]", {
    args: ["folder"],
    asks: [
      "POST /workspaces/current/templates",
      "PUT /workspaces/current/templates/{id}",
      "POST /workspaces/current/templates/{templateId}/versions",
      "POST /workspaces/current/templates/{templateId}/activate/{versionId}",
      "POST /workspaces/current/stylesheets",
      "PUT /workspaces/current/stylesheets/{id}",
    ],
    summary: "update a workspace from a folder of name.html, name.txt, name.json and *.css",
    details:
      "React Email (name.tsx, name.jsx) and MJML (name.mjml) are rendered by the packages of the folder's own project. Shows the differences first. A changed template becomes a new version, which is sent only once it is active; stylesheets take effect at once. Nothing is deleted. If interrupted, run it again and it continues.",
    example: [
      "posthorn templates push mail/ --workspace Shop --dry-run",
      "posthorn templates push mail/ welcome --workspace Shop --activate",
    ],
  })
    .option("--dry-run", "show the difference and what would be refused, and do nothing")
    .option("--activate", "activate the pushed versions")
    .action(act(syncing("push")));
  verb("pull <folder> [names...]", {
    args: ["folder"],
    asks: ["GET /workspaces/current/templates/{templateId}/versions/{versionId}"],
    summary: "update a folder from a workspace: the newest version of each template, and the stylesheets",
    details:
      "Shows the differences first. Asks before it overwrites a file that differs, unless --yes is given. The file of a part that a template has no longer is emptied.",
    example: "posthorn templates pull mail/ --workspace Shop",
  })
    .option("--dry-run", "show the difference and do nothing")
    .option("--active", "take the active versions instead of the newest")
    .action(act(syncing("pull")));
  addVersion(
    verb("preview <template>", {
      asks: ["POST /workspaces/current/templates/{templateId}/versions/{versionId}/preview"],
      summary: "render a version with its sample data, or with your own, stylesheets inlined",
      example: [
        "posthorn templates preview welcome --workspace Shop > welcome.html",
        `posthorn templates preview welcome --workspace Shop --part text --data '{"name": "Ada"}'`,
      ],
    }),
  )
    .addOption(
      new Option("--part <part>", "the part to write (default: html, or text if there is no html)").choices([
        "html",
        "text",
        "subject",
      ]),
    )
    .action(act(trying("preview")));
  addWaiting(
    addVersion(
      verb("test <template>", {
        asks: ["POST /workspaces/current/templates/{templateId}/versions/{versionId}/test"],
        summary: "send a version to yourself, marked as a test",
        example: "posthorn templates test welcome --to ada@example.com --newest --workspace Shop",
      }),
    ).requiredOption("--to <addresses...>", "the recipients"),
  ).action(act(trying("test")));
  verb("activate <template> [number]", {
    args: ["template_id", "version_id"],
    asks: ["POST /workspaces/current/templates/{templateId}/activate/{versionId}"],
    summary: "activate a version (default: the newest): it is sent from now on",
    example: "posthorn templates activate welcome 3 --workspace Shop",
  }).action(act(trying("activate")));
  verb("types", {
    summary: "write TypeScript types of the data that each template takes",
    details:
      "Derives them from the placeholders of the active versions. With --check, writes nothing and exits with 1 if the file differs.",
    example: [
      "posthorn templates types --output src/templates.d.ts --workspace Shop",
      "posthorn templates types --output src/templates.d.ts --check --workspace Shop",
    ],
  })
    .option("--output <file>", "the file to write (default: standard output)")
    .option("--check", "compare with the file instead of writing it")
    .option("--newest", "use the newest versions instead of the active ones")
    .action(act(typing("types")));
  verb("update-version <template> <number>", {
    summary: "change a version in place",
    details: "Options left out change nothing. Waiting e-mails keep the content they were accepted with.",
    example: "posthorn templates update-version welcome 3 --subject 'Welcome!' --workspace Shop",
    args: ["template_id", "version_id"],
    asks: ["PUT /workspaces/current/templates/{templateId}/versions/{versionId}"],
  })
    .option("--subject <text>", "the subject")
    .option("--html-file <file>", "a file with the html part; - for standard input")
    .option("--text-file <file>", "a file with the text part; - for standard input")
    .option("--sample-data <json>", "values for previews: JSON, @file, or - for standard input")
    .option("--note <text>", "a note on what is new")
    .action(act(trying("updateVersion")));
  verb("delete-version <template> <number>", {
    summary: "delete a version that is not active",
    example: "posthorn templates delete-version welcome 3 --workspace Shop",
    args: ["template_id", "version_id"],
    asks: ["DELETE /workspaces/current/templates/{templateId}/versions/{versionId}"],
  }).action(act(trying("deleteVersion")));
  addRouteVerb(command, act, "update <template>", {
    asks: "PUT /workspaces/current/templates/{id}",
    summary: "change a template's name, description or language",
    example: "posthorn templates update welcome --name greeting --workspace Shop",
    find: { id: find },
    options: [
      { flags: "--name <name>", field: "name", describes: "another name" },
      { flags: "--description <text>", field: "description", describes: "what it is for" },
      {
        flags: "--language <tag>",
        field: "default_language",
        describes: "the default language, such as en or pt-BR",
      },
    ],
    done: ({ name }) => `The template "${name}" is changed.`,
  });
  addRouteVerb(command, act, "delete <template>", {
    asks: "DELETE /workspaces/current/templates/{id}",
    summary: "delete a template with its versions; waiting e-mails are still sent",
    example: "posthorn templates delete welcome --workspace Shop",
    find: { id: find },
    confirm: ([named], workspace) => `Delete the template "${named}" of "${workspace?.name}"?`,
    done: (_, [named]) => `The template "${named}" is deleted.`,
  });
};

function addVersion(verb: Command): Command {
  return verb
    .option("--newest", "use the newest version (default: the active one)")
    .option("--version-number <number>", "use this version", wholeNumber(1, 1_000_000_000))
    .option("--data <json>", "placeholder values: JSON, @file, or - for standard input");
}
