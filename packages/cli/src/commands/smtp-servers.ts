import type { Command } from "commander";
import { boundOrNone, several, wholeNumber, yesOrNo } from "../program/settings/option-values.ts";
import { addVerb, addWorkspaceOption } from "../program/verbs/add-verb.ts";
import { findListed } from "../program/verbs/find-listed.ts";
import { lazily } from "../program/verbs/lazily.ts";
import { smtpServers } from "../program/verbs/listed-things.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import type { RouteVerb } from "../program/verbs/route-verb-shape.ts";
import { readTextFile } from "../terminal/read-input.ts";
import { readable } from "../terminal/report-done.ts";

const run = lazily(() => import("./smtp-servers/actions.ts"));
const find = { id: findListed(smtpServers) };
const path = "/workspaces/current/smtp-servers";

const columns: RouteVerb<"GET /workspaces/current/smtp-servers">["columns"] = [
  { title: "NAME", cell: ({ name }) => name },
  { title: "HOST", cell: ({ host, port }) => `${host}:${port}` },
  { title: "STATE", cell: ({ state, is_active }) => (is_active ? state : "off") },
  { title: "SENDERS", cell: ({ from_domains }) => from_domains.join(", ") || "any", narrow: "cut" },
  { title: "PRIORITY", cell: ({ priority }) => priority, narrow: "spare" },
  { title: "SENT 24 H", cell: ({ sent_24h }) => sent_24h, narrow: "spare" },
  { title: "LAST ERROR", cell: ({ last_error }) => last_error ?? "", narrow: "cut" },
  { title: "ID", cell: ({ id }) => id, narrow: "spare" },
];

/** A trailing line break, left by an editor or a shell, is not part of the password. */
const readPassword = async (file: string): Promise<string> =>
  (await readTextFile(file)).replace(/\r?\n$/, "");
const orNone = async (text: string): Promise<number | null> => (text === "none" ? null : Number(text));

const fields = [
  { flags: "--smtp-port <number>", field: "port", describes: "its port", read: wholeNumber(1, 65_535) },
  {
    flags: "--security <how>",
    field: "security",
    describes: "tls from the first byte, starttls before anything is sent, or none",
    choices: ["starttls", "tls", "none"],
  },
  {
    flags: "--username <name>",
    field: "username",
    describes: "the user name to log in with; empty for no login",
  },
  {
    flags: "--password-file <file>",
    field: "password",
    describes: "a file with the password; - for standard input",
    load: readPassword,
  },
  {
    flags: "--from-domain <domain>",
    field: "from_domains",
    describes: "accepts e-mails from this domain, or with a leading dot, its subdomains",
    read: several,
  },
  {
    flags: "--default <yes or no>",
    field: "is_default",
    describes: "whether it also accepts e-mails from domains that no server names",
    read: yesOrNo,
  },
  { flags: "--active <yes or no>", field: "is_active", describes: "whether it is used", read: yesOrNo },
  {
    flags: "--priority <number>",
    field: "priority",
    describes: "its rank, 0 to 100; the lowest is tried first",
    read: wholeNumber(0, 100),
  },
  {
    flags: "--max-connections <number>",
    field: "max_connections",
    describes: "the most connections at once, across all processes, 1 to 50",
    read: wholeNumber(1, 50),
  },
  {
    flags: "--max-per-second <number>",
    field: "max_per_second",
    describes: "the most messages a second, such as 0.5, or none",
    read: boundOrNone(1000),
    load: orNone,
  },
  {
    flags: "--max-per-hour <number>",
    field: "max_per_hour",
    describes: "the most messages an hour, or none",
    read: boundOrNone(3_600_000),
    load: orNone,
  },
  {
    flags: "--return-path <address>",
    field: "return_path",
    describes: "where bounces go: sender, verp, or an address",
  },
] as const;

/** `--port` and `--host` are global options for `serve`: here the mail server's are meant, so they are rejected. */
function refuseListening(noun: Command): void {
  noun.hook("preAction", (_, verb) => {
    for (const name of ["port", "host"])
      if (noun.parent?.getOptionValue(name) !== undefined)
        verb.error(
          `error: --${name} is what serve listens on. The mail server's is the argument <host> or --smtp-${name}.`,
        );
  });
}

export const register: Register = (command, act) => {
  refuseListening(command);
  addRouteVerb(command, act, "list", {
    asks: `GET ${path}`,
    summary: "list a workspace's own mail servers",
    example: "posthorn smtp-servers list --workspace Shop",
    isDefault: true,
    pagesFrom: 0,
    columns,
  });
  addRouteVerb(command, act, "show <server>", {
    asks: `GET ${path}/{id}`,
    summary: "show a mail server, named by its name or id, with its state",
    example: "posthorn smtp-servers show relay --workspace Shop",
    find,
    columns: [
      ...columns,
      { title: "security", cell: ({ security }) => security },
      { title: "login", cell: ({ username }) => username || "none" },
      { title: "takes other senders", cell: ({ is_default }) => (is_default ? "yes" : "no") },
      { title: "connections", cell: ({ max_connections }) => max_connections },
      { title: "per second", cell: ({ max_per_second }) => max_per_second ?? "no limit" },
      { title: "per hour", cell: ({ max_per_hour }) => max_per_hour ?? "no limit" },
      { title: "bounces to", cell: ({ return_path }) => return_path },
      { title: "next attempt", cell: ({ down_until }) => readable(down_until) },
      { title: "failed", cell: ({ last_error_at }) => readable(last_error_at) },
      { title: "last success", cell: ({ last_success_at }) => readable(last_success_at) },
    ],
  });
  addRouteVerb(command, act, "create <name> <host>", {
    asks: `POST ${path}`,
    summary: "add a mail server for the workspace's e-mails",
    details:
      "Without --from-domain it accepts e-mails from any sender. To test it: posthorn smtp-servers test",
    example:
      "posthorn smtp-servers create relay mail.shop.example --username shop --password-file relay.txt --from-domain shop.example --workspace Shop",
    args: ["name", "host"],
    options: fields,
    done: ({ name, host, port }) => `${name} is added: ${host}:${port}.`,
  });
  addRouteVerb(command, act, "update <server>", {
    asks: `PUT ${path}/{id}`,
    summary: "change a mail server; options left out change nothing",
    details: "If the host, port, security or user name changes, give the password again.",
    example: "posthorn smtp-servers update relay --max-per-second 5 --workspace Shop",
    find,
    options: [
      { flags: "--name <name>", field: "name", describes: "another name" },
      { flags: "--smtp-host <host>", field: "host", describes: "another host" },
      ...fields,
    ],
    done: ({ name }) => `${name} is changed.`,
  });
  addRouteVerb(command, act, "delete <server>", {
    asks: `DELETE ${path}/{id}`,
    summary: "remove a mail server",
    details: "E-mails that wait for it are sent through other servers that accept their sender.",
    example: "posthorn smtp-servers delete relay --workspace Shop",
    find,
    confirm: ([named], workspace) => `Remove the mail server ${named} from "${workspace?.name}"?`,
    done: (_, [named]) => `${named} is removed.`,
  });
  addWorkspaceOption(
    addVerb(command, "test <server>", {
      summary: "test a mail server step by step; exit with 1 unless every step succeeds",
      details: "Nothing is sent. If the test succeeds, a server that was down is used again at once.",
      example: "posthorn smtp-servers test relay --from news@shop.example --workspace Shop",
      asks: [`GET ${path}`, `POST ${path}/{id}/test`],
    }),
  )
    .option(
      "--from <address>",
      "a sender address to try at the server, instead of its return path or the workspace's default sender",
    )
    .action(act(run("test")));
};
