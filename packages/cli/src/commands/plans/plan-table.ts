import type { Item } from "@posthorn/client";
import { grouped } from "../../terminal/grouped.ts";
import type { Column } from "../../terminal/table.ts";

/** A plan in the API's form. */
export type Plan = Item<"GET /admin/plans">;

const limit = (value: number): string => (value === 0 ? "∞" : grouped(value));

type Limit = Extract<keyof Plan, `max_${string}` | `${string}_limit` | `${string}_days`>;

/** Every limit of a plan, with its label in tables. Its option on the command line has the field's name. */
export const planLimits: readonly { field: Limit; words: string }[] = [
  { field: "hourly_rate_limit", words: "e-mails per hour" },
  { field: "daily_rate_limit", words: "e-mails per day" },
  { field: "max_batch_size", words: "recipients per batch" },
  { field: "max_attachment_size_mb", words: "attachments, MB" },
  { field: "max_api_keys", words: "API keys" },
  { field: "max_domains", words: "domains" },
  { field: "max_smtp_servers", words: "SMTP servers" },
  { field: "max_workspaces", words: "workspaces per user" },
  { field: "email_log_retention_days", words: "log retention, days" },
];

/** Columns of a list of plans. */
export const planColumns: readonly Column<Plan>[] = [
  { title: "ID", cell: ({ id }) => id, align: "right" },
  { title: "NAME", cell: ({ name }) => name },
  { title: "STATE", cell: stateOf },
  { title: "PER HOUR", cell: ({ hourly_rate_limit }) => limit(hourly_rate_limit), align: "right" },
  { title: "PER DAY", cell: ({ daily_rate_limit }) => limit(daily_rate_limit), align: "right" },
  { title: "BATCH", cell: ({ max_batch_size }) => limit(max_batch_size), align: "right" },
  { title: "KEYS", cell: ({ max_api_keys }) => limit(max_api_keys), align: "right" },
  { title: "WORKSPACES", cell: ({ max_workspaces }) => limit(max_workspaces), align: "right" },
];

/** Compares plans side by side: one row per limit, one column per plan. Limits that differ are marked. */
export function comparisonOf(plans: readonly Plan[]): {
  rows: { words: string; cells: string[]; differs: boolean }[];
  columns: Column<{ words: string; cells: string[]; differs: boolean }>[];
} {
  const row = (words: string, read: (plan: Plan) => string) => {
    const cells = plans.map(read);
    return { words, cells, differs: new Set(cells).size > 1 };
  };
  return {
    rows: [
      row("state", stateOf),
      ...planLimits.map(({ field, words }) => row(words, (plan) => limit(plan[field]))),
    ],
    columns: [
      { title: "", cell: ({ differs }) => (differs ? "≠" : " ") },
      { title: "LIMIT", cell: ({ words }) => words },
      ...plans.map(
        (plan, at): Column<{ cells: string[] }> => ({
          title: `${plan.name} (${plan.id})`,
          cell: ({ cells }) => cells[at],
          align: "right",
        }),
      ),
    ],
  };
}

/** Formats a plan as lines of name and value. */
export function planLines(plan: Plan): Record<string, unknown> {
  return {
    id: plan.id,
    name: plan.name,
    description: plan.description,
    state: stateOf(plan),
    ...Object.fromEntries(planLimits.map(({ field, words }) => [words, limit(plan[field])])),
  };
}

function stateOf({ is_default, is_active }: Plan): string {
  return is_default ? "default" : is_active ? "active" : "inactive";
}
