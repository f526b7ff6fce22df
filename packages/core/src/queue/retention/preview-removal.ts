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
  const own = await retention.countEmails(undefined, now - ownDays * day);
  const of = { log: 0, content: 0, lists: 0, values: 0 };
  for await (const { workspaceId, log, content } of workspaceEnds(storage, now)) {
    if (log !== undefined) {
      of.log += await retention.countEmails(workspaceId, log);
      of.lists += await retention.countCampaignRecipients(workspaceId, log);
    }
    if (content === undefined) continue;
    // Rows that are removed with their line of the log are counted there.
    const [all, with_] = [content, log ?? 0];
    of.content +=
      (await retention.countContents(workspaceId, all)) - (await retention.countContents(workspaceId, with_));
    of.values +=
      (await retention.countCampaignValues(workspaceId, all)) -
      (await retention.countCampaignValues(workspaceId, with_));
  }
  return [
    ...ended,
    { table: "emails", period: periods.own, rows: own },
    { table: "emails", period: periods.log, rows: of.log },
    { table: "email_payloads", period: periods.content, rows: of.content },
    { table: "campaign_recipients", period: periods.log, rows: of.lists },
    { table: "campaign_recipients", period: `their values ${periods.content}`, rows: of.values },
    { table: "contents, files", period: periods.loose, rows: await retention.countLoose() },
  ];
}
