import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { readable } from "../terminal/report-done.ts";

export const register: Register = (command, act) => {
  addRouteVerb(command, act, "show", {
    asks: "GET /workspaces/current/metrics",
    summary: "show a workspace's delivery figures, by default of the last 24 hours",
    details: "With --json, also by hour or day and by domain.",
    // A time that is written out is in the future, or beyond the limit, for whoever copies it.
    example: [
      "posthorn metrics show --workspace Shop",
      'posthorn metrics show --json --by hour --from "$(date -u +%FT00:00:00Z)" --workspace Shop',
    ],
    isDefault: true,
    options: [
      {
        flags: "--from <time>",
        field: "from",
        describes: "the beginning, an ISO 8601 time, at most 92 days before the end",
      },
      { flags: "--until <time>", field: "until", describes: "the end, an ISO 8601 time (default: now)" },
      {
        flags: "--by <what>",
        field: "by",
        describes: "the interval of the series",
        choices: ["hour", "day"],
      },
    ],
    columns: [
      { title: "FROM", cell: ({ from }) => readable(from) },
      { title: "UNTIL", cell: ({ until }) => readable(until) },
      { title: "ACCEPTED", cell: ({ totals }) => String(totals.accepted) },
      { title: "DELIVERED", cell: ({ totals }) => String(totals.delivered) },
      { title: "DEFERRED", cell: ({ totals }) => String(totals.deferred) },
      { title: "BOUNCED", cell: ({ totals }) => String(totals.bounced) },
      { title: "COMPLAINED", cell: ({ totals }) => String(totals.complained) },
      { title: "SUPPRESSED", cell: ({ totals }) => String(totals.suppressed) },
      {
        title: "DOMAINS",
        cell: ({ domains, other_domains: others }) =>
          [...domains, ...(others.accepted > 0 ? [{ domain: "others", ...others }] : [])]
            .map(({ domain, accepted }) => `${domain} (${accepted})`)
            .join(", "),
      },
    ],
  });
};
