import { oneOf, yesOrNo } from "../program/settings/option-values.ts";
import { addVerb, addWorkspaceOption } from "../program/verbs/add-verb.ts";
import { findListed } from "../program/verbs/find-listed.ts";
import { lazily } from "../program/verbs/lazily.ts";
import { domains } from "../program/verbs/listed-things.ts";
import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import type { RouteVerb } from "../program/verbs/route-verb-shape.ts";
import { recordForms } from "../terminal/output-formats.ts";
import { readable } from "../terminal/report-done.ts";

const run = lazily(() => import("./domains/actions.ts"));
const find = { id: findListed(domains) };
const path = "/workspaces/current/domains";

const columns: RouteVerb<"GET /workspaces/current/domains">["columns"] = [
  { title: "DOMAIN", cell: ({ name }) => name },
  { title: "STATUS", cell: ({ status }) => status },
  { title: "REASON", cell: ({ status_reason }) => status_reason, narrow: "cut" },
  { title: "LAST CHECK", cell: ({ checked_at }) => readable(checked_at), narrow: "spare" },
  { title: "NEXT CHECK", cell: ({ next_check_at }) => readable(next_check_at), narrow: "spare" },
  { title: "ID", cell: ({ id }) => id, narrow: "spare" },
];

const beneath = {
  flags: "--include-subdomains <yes or no>",
  field: "include_subdomains",
  describes: "whether it also covers its subdomains",
  read: yesOrNo,
} as const;

const returnPath = {
  flags: "--return-path <name>",
  field: "return_path",
  describes: "the label of its return-path subdomain",
} as const;

const tracking = {
  flags: "--tracking <name>",
  field: "tracking",
  describes: "the label of its tracking host, or none",
  load: async (text: string) => (text === "none" ? null : text),
} as const;

const tls = {
  flags: "--tls <how>",
  field: "tls",
  describes: "whether its e-mails require TLS: opportunistic, required",
  read: oneOf("opportunistic", "required"),
} as const;

export const register: Register = (command, act) => {
  addRouteVerb(command, act, "list", {
    asks: `GET ${path}`,
    summary: "list a workspace's sending domains by name",
    example: "posthorn domains list --workspace Shop",
    isDefault: true,
    pagesFrom: 0,
    columns,
  });
  addRouteVerb(command, act, "show <domain>", {
    asks: `GET ${path}/{id}`,
    summary: "show a domain, named by its name or id, and its problems",
    example: "posthorn domains show shop.example --workspace Shop",
    find,
    columns: [
      ...columns,
      { title: "subdomains", cell: ({ include_subdomains }) => (include_subdomains ? "yes" : "no") },
      {
        title: "keys",
        cell: ({ dkim }) =>
          dkim.map(({ selector, algorithm, state }) => `${selector} (${algorithm}, ${state})`).join(", "),
      },
      {
        title: "return path",
        cell: ({ return_path, name, return_path_verified: isVerified }) =>
          `${return_path}.${name}${isVerified ? "" : " (not verified)"}`,
      },
      {
        title: "tracking host",
        cell: ({ tracking: label, name, tracking_verified: isVerified }) =>
          label === null ? "" : `${label}.${name}${isVerified ? "" : " (not verified)"}`,
      },
      { title: "tls", cell: ({ tls: how }) => how },
      { title: "verified", cell: ({ verified_at }) => readable(verified_at) },
    ],
  });
  addRouteVerb(command, act, "add <domain>", {
    asks: `POST ${path}`,
    summary: "add a domain to send from",
    example: "posthorn domains add shop.example --workspace Shop",
    args: ["name"],
    options: [beneath, returnPath, tracking, tls],
    done: ({ name }) => `${name} is added. The records to publish: posthorn domains records ${name}`,
  });
  addChanges(command, act);
  addWorkspaceOption(
    addVerb(command, "records <domain>", {
      summary: "write the DNS records to publish, optionally in the format of a tool",
      details:
        "--format zone writes lines for a zone file, --format terraform resources for Route 53, --format cloudflare the body of Cloudflare's dns_records/batch. These leave out SPF and DMARC if there already is such a record.",
      example: [
        "posthorn domains records shop.example --workspace Shop",
        "posthorn domains records shop.example --format zone --workspace Shop",
      ],
      asks: [`GET ${path}`],
    }),
  )
    .option("--as <form>", "the same as --format zone, terraform or cloudflare", oneOf(...recordForms))
    .action(act(run("records")));
  addWorkspaceOption(
    addVerb(command, "verify <domain>", {
      summary: "check a domain's records now; exit with 1 unless all required ones are published",
      details: "Asks the zone's own name servers, for at most 10 seconds.",
      example: "posthorn domains verify shop.example --workspace Shop",
      asks: [`GET ${path}`, `POST ${path}/{id}/verify`],
    }),
  ).action(act(run("verify")));
};

const addChanges: Register = (command, act) => {
  addRouteVerb(command, act, "update <domain>", {
    asks: `PUT ${path}/{id}`,
    summary: "change a domain",
    example: "posthorn domains update shop.example --include-subdomains yes --workspace Shop",
    find,
    options: [beneath, returnPath, tracking, tls],
    done: ({ name }) => `${name} is changed.`,
  });
  addRouteVerb(command, act, "rotate-dkim <domain>", {
    asks: `POST ${path}/{id}/rotate-dkim`,
    summary: "rotate the DKIM keys; the next key's record must be published",
    details:
      "A new standby key is made; publish its record before the next rotation. Keep the former key's record for seven days.",
    example: "posthorn domains rotate-dkim shop.example --workspace Shop",
    find,
    done: ({ name, dkim }) =>
      `${dkim
        .filter(({ signs }) => signs)
        .map(({ selector }) => selector)
        .join(" and ")} now sign e-mails of ${name}.`,
  });
  addRouteVerb(command, act, "remove <domain>", {
    asks: `DELETE ${path}/{id}`,
    summary: "remove a domain and its keys",
    details:
      "Waiting e-mails are sent unsigned from now on; those accepted only because the domain was verified are refused.",
    example: "posthorn domains remove shop.example --workspace Shop",
    find,
    confirm: ([named], workspace) => `Remove ${named} and its keys from "${workspace?.name}"?`,
    done: (_, [named]) => `${named} is removed.`,
  });
};
