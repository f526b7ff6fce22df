import type { Plan } from "../../program/find-named.ts";
import type { Column } from "../../terminal/table.ts";

const limit = (value: number): string => (value === 0 ? "∞" : value.toLocaleString("en"));

type Limit = {
  [K in keyof Plan]: Plan[K] extends number ? K : never;
}[Exclude<keyof Plan, "id" | "createdAt" | "updatedAt">];

/** Every limit of a plan: its option on the command line, and its words in a table. */
export const planLimits: readonly { field: NonNullable<Limit>; option: string; words: string }[] = [
  { field: "hourlyRateLimit", option: "hourly-rate-limit", words: "e-mails an hour" },
  { field: "dailyRateLimit", option: "daily-rate-limit", words: "e-mails a day" },
  { field: "maxBatchSize", option: "max-batch-size", words: "recipients a batch" },
  { field: "maxAttachmentSizeMb", option: "max-attachment-size-mb", words: "attachment, MB" },
  { field: "maxApiKeys", option: "max-api-keys", words: "API keys" },
  { field: "maxDomains", option: "max-domains", words: "domains" },
  { field: "maxSmtpServers", option: "max-smtp-servers", words: "SMTP servers" },
  { field: "maxWorkspaces", option: "max-workspaces", words: "workspaces a user" },
  { field: "emailLogRetentionDays", option: "email-log-retention-days", words: "log kept, days" },
];

/** Plans as rows: what one looks through. */
export const planColumns: readonly Column<Plan>[] = [
  { title: "ID", cell: ({ id }) => id, align: "right" },
  { title: "NAME", cell: ({ name }) => name },
  { title: "STATE", cell: stateOf },
  { title: "AN HOUR", cell: ({ hourlyRateLimit }) => limit(hourlyRateLimit), align: "right" },
  { title: "A DAY", cell: ({ dailyRateLimit }) => limit(dailyRateLimit), align: "right" },
  { title: "BATCH", cell: ({ maxBatchSize }) => limit(maxBatchSize), align: "right" },
  { title: "KEYS", cell: ({ maxApiKeys }) => limit(maxApiKeys), align: "right" },
  { title: "WORKSPACES", cell: ({ maxWorkspaces }) => limit(maxWorkspaces), align: "right" },
];

/** Plans side by side: one row a limit, one column a plan. Limits that differ are marked. */
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

/** One plan as lines of name and value. */
export function planLines(plan: Plan): Record<string, unknown> {
  return {
    id: plan.id,
    name: plan.name,
    description: plan.description,
    state: stateOf(plan),
    ...Object.fromEntries(planLimits.map(({ field, words }) => [words, limit(plan[field])])),
  };
}

function stateOf({ isDefault, isActive }: Plan): string {
  return isDefault ? "default" : isActive ? "active" : "inactive";
}
