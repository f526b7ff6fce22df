import { routes } from "@posthorn/http";
import { streamPath } from "@posthorn/http/internal";

const groups: [title: string, prefix: RegExp][] = [
  ["Accounts", /^\/auth/],
  ["The own account", /^\/users\/me/],
  ["Workspaces", /^\/workspaces(\/current(\/transfer-ownership)?)?$/],
  ["Members and invitations", /^(\/workspaces\/current)?\/(members|invitations)/],
  ["Templates and stylesheets", /^\/workspaces\/current\/(templates|stylesheets)/],
  ["Sending", /^\/(emails|attachments)/],
  ["What comes back", /^(\/workspaces\/current)?\/inbound/],
  ["The workspace", /^\/workspaces\/current\//],
  ["Administration", /^\/admin/],
];

/** Prints every route as Markdown tables, with its credentials and response. */
export function routeTable(): string {
  const all = [
    ...routes,
    { method: "GET", path: streamPath, access: "administrator", status: 200, summary: "Stream events" },
  ];
  const found = new Set<unknown>();
  const tables = groups.map(([title, prefix]) => {
    const own = all.filter((one) => !found.has(one) && prefix.test(one.path));
    for (const one of own) found.add(one);
    const rows = own.map(
      (one) => `| ${one.method} | \`${one.path}\` | ${needs(one)} | ${one.status} | ${one.summary} |`,
    );
    return [
      `### ${title}`,
      "",
      "| Method | Path | Needs | Answers | What it does |",
      "|---|---|---|---|---|",
      ...rows,
    ];
  });
  const left = all.filter((one) => !found.has(one));
  if (left.length > 0) throw new Error(`no group takes ${left.map(({ path }) => path).join(", ")}`);
  return tables.map((lines) => lines.join("\n")).join("\n\n");
}

const words: Record<string, string> = {
  anonymous: "nothing",
  user: "a login",
  administrator: "an administrator's login",
  api_key: "an API key",
};

const needs = ({ access, takesKey = false }: { access: string; takesKey?: boolean }): string =>
  `${words[access] ?? `a role with \`${access}\``}${takesKey ? ", or an API key" : ""}`;
