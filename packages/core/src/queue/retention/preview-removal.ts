import type { OldRows } from "../../ports/storage.ts";
import { ownDays, type Retaining } from "./remove-old.ts";
import { timedSteps } from "./timed-steps.ts";
import { workspaceEnds } from "./workspace-clocks.ts";

const day = 86_400_000;

/** Rows of a table whose retention period has expired. */
export interface EndedRows {
  /** Table that contains them. */
  table: string;
  /** Name of the retention period. */
  period: string;
  /** Number of rows. */
  rows: number;
}

const periods = {
  own: `the service's own, after ${ownDays} days`,
  log: "by the plan's email_log_retention_days",
  content: "by the workspace's content_retention_days",
  loose: "once nothing refers to them",
} as const;

/**
 * Counts what `removeOld` would remove now, by table and retention period, and removes nothing. It reads all rows that
 * it counts.
 */
export async function previewRemoval({ storage, queueClock, config }: Retaining): Promise<EndedRows[]> {
  const { retention } = storage;
  const now = queueClock.now();
  const ended: EndedRows[] = [];
  for (const { table, period, keptMs } of timedSteps) {
    const kept = keptMs(config);
    if (kept !== undefined)
      ended.push({ table, period, rows: await retention.countTimed(table, now - kept) });
  }
  const own = { workspaceId: undefined, log: now - ownDays * day, content: undefined };
  const { emails: owned } = await retention.countOld([own]);
  const of: OldRows = { emails: 0, contents: 0, recipients: 0, values: 0 };
  for await (const ends of workspaceEnds(storage, now)) {
    const { emails, contents, recipients, values } = await retention.countOld(ends);
    of.emails += emails;
    of.contents += contents;
    of.recipients += recipients;
    of.values += values;
  }
  return [
    ...ended,
    { table: "emails", period: periods.own, rows: owned },
    { table: "emails", period: periods.log, rows: of.emails },
    { table: "email_payloads", period: periods.content, rows: of.contents },
    { table: "campaign_recipients", period: periods.log, rows: of.recipients },
    { table: "campaign_recipients", period: `values ${periods.content}`, rows: of.values },
    { table: "contents, files", period: periods.loose, rows: await retention.countLoose() },
  ];
}
