import { addVerb } from "../program/verbs/add-verb.ts";
import { lazily } from "../program/verbs/lazily.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import type { RouteVerb } from "../program/verbs/route-verb-shape.ts";
import { readable } from "../terminal/report-done.ts";

const run = lazily(() => import("./inbound/actions.ts"));

type Listed = "GET /workspaces/current/inbound-reports";
type Shown = Parameters<NonNullable<RouteVerb<Listed>["columns"]>[number]["cell"]>[0];

const wordsOf = ({ effects }: Pick<Shown, "effects">): string =>
  effects
    .map(({ recipient, kind, category, effect }) => `${recipient}: ${kind} (${category}) ${effect}`)
    .join(", ");

const columns: RouteVerb<Listed>["columns"] = [
  { title: "ID", cell: ({ id }) => id },
  { title: "RECEIVED", cell: ({ created_at }) => readable(created_at), narrow: "spare" },
  { title: "KIND", cell: ({ kind }) => kind },
  { title: "SOURCE", cell: ({ source }) => source, narrow: "spare" },
  { title: "E-MAIL", cell: ({ email_id }) => email_id },
  { title: "EFFECTS", cell: wordsOf, narrow: "cut" },
];

/** Reads the first MiB of a file in the API's form; `-` is standard input. */
const readFile = async (_: unknown, file: string): Promise<string> => {
  const { readReportFile } = await import("./inbound/read-report-file.ts");
  return await readReportFile(file);
};

export const register: Register = (command, act) => {
  addRouteVerb(command, act, "list", {
    asks: "GET /workspaces/current/inbound-reports",
    summary: "list the bounces, delays and complaints about a workspace's e-mails of the last 7 days",
    example: "posthorn inbound list --kind complaint --workspace Shop",
    isDefault: true,
    pagesFrom: 0,
    options: [
      { flags: "--email <id>", field: "email_id", describes: "only reports about this e-mail" },
      {
        flags: "--kind <kind>",
        field: "kind",
        describes: "only reports of this kind",
        choices: ["notification", "complaint"],
      },
    ],
    columns,
  });
  addRouteVerb(command, act, "show <report>", {
    asks: "GET /workspaces/current/inbound-reports/{id}",
    summary: "show a report with its message and its effects",
    example: "posthorn inbound show 0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d --workspace Shop",
    columns: [...columns, { title: "MESSAGE", cell: ({ raw }) => raw }],
  });
  addRouteVerb(command, act, "feed <file>", {
    asks: "POST /workspaces/current/inbound",
    summary: "process a bounce or complaint message; - for standard input",
    details:
      "For a mailbox's filter or a mail server's pipe, which tries again later only at exit code 75. The same message counts only once.",
    example: [
      "posthorn inbound feed bounce.eml --workspace Shop",
      "posthorn inbound feed - --workspace Shop < bounce.eml || exit 75",
    ],
    args: ["message"],
    find: { message: readFile },
    done: ({ report }) =>
      report.email_id === null
        ? `${report.kind} about an unknown e-mail.`
        : `${report.kind} about e-mail ${report.email_id}: ${wordsOf(report) || "no effects"}.`,
  });
  addVerb(command, "parse <file>", {
    summary: "show the effects that a bounce or complaint message would have; needs no database",
    example: "posthorn inbound parse bounce.eml",
  }).action(act(run("parse")));
};
