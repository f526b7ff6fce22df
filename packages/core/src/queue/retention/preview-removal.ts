import { ownDays, type Retaining } from "./remove-old.ts";
import { timedSteps } from "./timed-steps.ts";
import { workspaceEnds } from "./workspace-clocks.ts";

const day = 86_400_000;

/** Rows of a table whose retention period has expired. */
export interface EndedRows {
  /** Table that contains them. */
  table: string;
  /** Name of the retention period. */
  clock: string;
  /** Number of rows. */
  rows: number;
}

const clocks = {
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
  for (const { table, clock, keptMs } of timedSteps) {
    const kept = keptMs(config);
    if (kept !== undefined) ended.push({ table, clock, rows: await retention.countTimed(table, now - kept) });
  }
  const own = await retention.countEmails(undefined, now - ownDays * day);
  const of = { log: 0, content: 0, lists: 0, values: 0 };
  for await (const { workspaceId, log, content } of workspaceEnds(storage, now)) {
    if (log !== undefined) {
      of.log += await retention.countEmails(workspaceId, log);
      of.lists += await retention.countCampaignRecipients(workspaceId, log, false);
    }
    if (content === undefined) continue;
    // Rows that are removed with their line of the log are counted there.
    const [all, with_] = [content, log ?? 0];
    of.content +=
      (await retention.countContents(workspaceId, all)) - (await retention.countContents(workspaceId, with_));
    of.values +=
      (await retention.countCampaignRecipients(workspaceId, all, true)) -
      (await retention.countCampaignRecipients(workspaceId, with_, true));
  }
  return [
    ...ended,
    { table: "emails", clock: clocks.own, rows: own },
    { table: "emails", clock: clocks.log, rows: of.log },
    { table: "email_payloads", clock: clocks.content, rows: of.content },
    { table: "campaign_recipients", clock: clocks.log, rows: of.lists },
    { table: "campaign_recipients", clock: `their values ${clocks.content}`, rows: of.values },
    { table: "contents, files", clock: clocks.loose, rows: await retention.countLoose() },
  ];
}
