import { oneOf, wholeNumber } from "../program/settings/option-values.ts";
import { addVerb, addWorkspaceOption } from "../program/verbs/add-verb.ts";
import { lazily } from "../program/verbs/lazily.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import type { RouteVerb } from "../program/verbs/route-verb-shape.ts";
import { readable } from "../terminal/report-done.ts";

const files = lazily(() => import("./suppressions/files.ts"));

const origins = ["manual", "bounce", "complaint", "unsubscribe", "import"] as const;

const scope = {
  flags: "--scope <scope>",
  field: "scope",
  describes: "* for everything, or the name of a list (default: *)",
} as const;

const columns: RouteVerb<"GET /workspaces/current/suppressions">["columns"] = [
  { title: "ADDRESS", cell: ({ email }) => email },
  { title: "SCOPE", cell: ({ scope }) => scope },
  { title: "ORIGIN", cell: ({ origin }) => origin },
  { title: "SINCE", cell: ({ created_at }) => readable(created_at), narrow: "spare" },
  { title: "EXPIRES", cell: ({ expires_at }) => readable(expires_at), narrow: "spare" },
  { title: "REASON", cell: ({ reason }) => reason, narrow: "cut" },
];

export const register: Register = (command, act) => {
  addReading(command, act);
  addRouteVerb(command, act, "add <address>", {
    asks: "POST /workspaces/current/suppressions",
    summary: "suppress an address, or with @example.com a whole domain",
    example: "posthorn suppressions add ada@example.com --reason 'asked on the phone' --workspace Shop",
    args: ["email"],
    options: [
      scope,
      { flags: "--reason <text>", field: "reason", describes: "the reason to show" },
      {
        flags: "--until <time>",
        field: "expires_at",
        describes: "when it ends, such as 2030-01-31T08:00:00Z (default: never)",
      },
    ],
    done: ({ email, scope: stopped }) =>
      `${email} is suppressed${stopped === "*" ? "" : ` for the list ${stopped}`}.`,
  });
  addRouteVerb(command, act, "remove <address>", {
    asks: "DELETE /workspaces/current/suppressions/{email}",
    summary: "remove a suppression: e-mails are sent to the address again",
    example: "posthorn suppressions remove ada@example.com --workspace Shop",
    options: [scope],
    confirm: ([named], workspace) => `Remove the suppression of ${named} from "${workspace?.name}"?`,
    done: (_, [named]) => `The suppression of ${named} is removed.`,
  });
  addFiles(command, act);
};

const addReading: Register = (command, act) => {
  addRouteVerb(command, act, "list", {
    asks: "GET /workspaces/current/suppressions",
    summary: "list a workspace's suppressions, newest first",
    example: [
      "posthorn suppressions list --workspace Shop",
      "posthorn suppressions list --query @example.com --workspace Shop",
    ],
    isDefault: true,
    pagesFrom: 0,
    options: [
      {
        flags: "--query <text>",
        field: "q",
        describes: "only addresses beginning with this, or @ and the beginning of a domain",
      },
      {
        flags: "--origin <origin>",
        field: "origin",
        describes: "only suppressions of this origin",
        choices: origins,
      },
      { ...scope, describes: "only suppressions of this scope: * or the name of a list" },
    ],
    columns,
  });
  addRouteVerb(command, act, "show <address>", {
    asks: "GET /workspaces/current/suppressions/{email}",
    summary: "show the suppression of an address, with its reason",
    example: "posthorn suppressions show ada@example.com --workspace Shop",
    options: [scope],
    columns,
  });
  addRouteVerb(command, act, "check <address...>", {
    asks: "POST /workspaces/current/suppressions/check",
    summary: "check which addresses are suppressed",
    example: "posthorn suppressions check ada@example.com bob@example.com --workspace Shop",
    args: ["emails"],
    options: [{ ...scope, describes: "check for mail of this list; * for mail of no list (default: *)" }],
    columns: [
      { title: "ADDRESS", cell: ({ email }) => email },
      { title: "SUPPRESSED", cell: ({ suppressed }) => (suppressed ? "yes" : "no") },
      { title: "ORIGIN", cell: ({ origin }) => origin },
      { title: "SINCE", cell: ({ since }) => readable(since) },
    ],
  });
};

const addFiles: Register = (command, act) => {
  addWorkspaceOption(
    addVerb(command, "import <file>", {
      summary: "suppress the addresses of a file: CSV, NDJSON, or another service's export",
      details:
        "Recognises exports of Amazon SES, SendGrid, Postmark and Mailgun. Existing entries are no conflict, so you can import a file again.",
      example: [
        "posthorn suppressions import bounces.csv --dry-run --workspace Shop",
        "posthorn suppressions import bounces.csv --workspace Shop",
      ],
      asks: ["POST /workspaces/current/suppressions/import"],
      args: ["content"],
    }),
  )
    .option("--dry-run", "report what would be imported; store nothing")
    .option("--resume <line>", "continue from this line after an interruption", wholeNumber(1, 1_000_000_000))
    .action(act(files("importFile")));
  addWorkspaceOption(
    addVerb(command, "export", {
      summary: "write all suppressions to standard output, ready to import again",
      example: "posthorn suppressions export --workspace Shop > suppressions.csv",
      asks: ["GET /workspaces/current/suppressions/export"],
    }),
  )
    .option(
      "--as <format>",
      "csv, or ndjson with one JSON object a line (default: csv, or as --format says)",
      oneOf("csv", "ndjson"),
    )
    .action(act(files("exportFile")));
};
