import { addVerb, addWorkspaceOption } from "../program/add-verb.ts";
import { lazily } from "../program/lazily.ts";
import { oneOf, wholeNumber } from "../program/option-values.ts";
import type { Register } from "../program/register.ts";
import { addRouteVerb } from "../program/route-verb.ts";
import type { RouteVerb } from "../program/route-verb-shape.ts";
import { readable } from "../terminal/tell.ts";

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
  { title: "UNTIL", cell: ({ expires_at }) => readable(expires_at), narrow: "spare" },
  { title: "REASON", cell: ({ reason }) => reason, narrow: "cut" },
];

export const register: Register = (command, act) => {
  addReading(command, act);
  addRouteVerb(command, act, "add <address>", {
    asks: "POST /workspaces/current/suppressions",
    summary: "send nothing more to an address, or with @example.com to a whole domain",
    example: "posthorn suppressions add ada@example.com --reason 'asked on the phone' --workspace Shop",
    args: ["email"],
    options: [
      scope,
      { flags: "--reason <text>", field: "reason", describes: "why, for those who read it later" },
      {
        flags: "--until <time>",
        field: "expires_at",
        describes: "when it ends, such as 2030-01-31T08:00:00Z (default: never)",
      },
    ],
    done: ({ email, scope: stopped }) =>
      `Nothing${stopped === "*" ? "" : ` of the list ${stopped}`} goes to ${email}.`,
  });
  addRouteVerb(command, act, "remove <address>", {
    asks: "DELETE /workspaces/current/suppressions/{email}",
    summary: "let mail through again",
    example: "posthorn suppressions remove ada@example.com --workspace Shop",
    options: [scope],
    confirm: ([named], workspace) => `Let mail of "${workspace?.name}" to ${named} through again?`,
    done: (_, [named]) => `Mail goes to ${named} again.`,
  });
  addFiles(command, act);
};

const addReading: Register = (command, act) => {
  addRouteVerb(command, act, "list", {
    asks: "GET /workspaces/current/suppressions",
    summary: "list whom a workspace sends nothing to, the latest first",
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
        describes: "the beginning of an address, or @ and the beginning of a domain",
      },
      {
        flags: "--origin <origin>",
        field: "origin",
        describes: "only those that came from this",
        choices: origins,
      },
      { ...scope, describes: "only those of this scope: * or the name of a list" },
    ],
    columns,
  });
  addRouteVerb(command, act, "show <address>", {
    asks: "GET /workspaces/current/suppressions/{email}",
    summary: "show why nothing is sent to an address",
    example: "posthorn suppressions show ada@example.com --workspace Shop",
    options: [scope],
    columns,
  });
  addRouteVerb(command, act, "check <address...>", {
    asks: "POST /workspaces/current/suppressions/check",
    summary: "tell which addresses nothing would be sent to",
    example: "posthorn suppressions check ada@example.com bob@example.com --workspace Shop",
    args: ["emails"],
    options: [{ ...scope, describes: "for mail of this list; * for mail of none (default: *)" }],
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
      summary: "suppress the addresses of a file: CSV, NDJSON, or what another service handed out",
      details:
        "Exports of Amazon SES, SendGrid, Postmark and Mailgun are recognised. What stands already is no conflict, so a file may come again.",
      example: [
        "posthorn suppressions import bounces.csv --dry-run --workspace Shop",
        "posthorn suppressions import bounces.csv --workspace Shop",
      ],
      asks: ["POST /workspaces/current/suppressions/import"],
    }),
  )
    .option("--dry-run", "tell what would come of it; keep nothing")
    .option(
      "--resume <line>",
      "begin at this line, where an import was interrupted",
      wholeNumber(1, 1_000_000_000),
    )
    .action(act(files("importFile")));
  addWorkspaceOption(
    addVerb(command, "export", {
      summary: "write all suppressions to standard output, as they can be imported again",
      example: "posthorn suppressions export --workspace Shop > suppressions.csv",
      asks: ["GET /workspaces/current/suppressions/export"],
    }),
  )
    .option("--as <format>", "csv, or ndjson with a JSON object a line", oneOf("csv", "ndjson"), "csv")
    .action(act(files("exportFile")));
};
