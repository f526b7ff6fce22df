import { setTimeout as wait } from "node:timers/promises";
import type { RequestFields } from "@posthorn/client";
import type { WorkspaceApi } from "../../program/api.ts";
import type { CommandContext } from "../../program/command-context.ts";
import { findListed } from "../../program/find-listed.ts";
import { campaigns } from "../../program/things.ts";
import { createProgress } from "../../terminal/progress.ts";
import { tellDone } from "../../terminal/tell.ts";
import { readRecipients } from "./read-recipients.ts";

interface CreateOptions {
  workspace?: string;
  template: string;
  recipients?: string;
  from?: string;
  replyTo?: string;
  tag?: string[];
  scheduledAt?: string;
  perSecond?: number;
  perHour?: number;
  onMissing?: "skip" | "stop";
}

export async function create(context: CommandContext, name: string, options: CreateOptions): Promise<void> {
  const api = await context.inWorkspace(options.workspace);
  const { template, from, replyTo, tag, scheduledAt, perSecond, perHour, onMissing } = options;
  const pace = {
    ...(perSecond === undefined ? {} : { per_second: perSecond }),
    ...(perHour === undefined ? {} : { per_hour: perHour }),
  };
  const fields: RequestFields<"POST /workspaces/current/campaigns"> = {
    name,
    template,
    ...(from === undefined ? {} : { from }),
    ...(replyTo === undefined ? {} : { reply_to: replyTo }),
    ...(tag === undefined ? {} : { tags: tag }),
    ...(scheduledAt === undefined ? {} : { scheduled_at: scheduledAt }),
    ...(Object.keys(pace).length === 0 ? {} : { pace }),
    ...(onMissing === undefined ? {} : { on_missing: onMissing }),
  };
  const made = await api.request("POST /workspaces/current/campaigns", fields);
  const list = options.recipients === undefined ? none : await fill(api, made.id, options.recipients);
  const campaign = await api.request("GET /workspaces/current/campaigns/{id}", { id: made.id });
  tellDone(
    context,
    `"${name}" is a draft with ${campaign.recipients} recipients${told(list)}. Start it with: posthorn campaigns start ${made.id}`,
    campaign,
  );
}

export async function add(
  context: CommandContext,
  named: string,
  { workspace, recipients }: { workspace?: string; recipients: string },
): Promise<void> {
  const api = await context.inWorkspace(workspace);
  const id = Number(await findListed(campaigns)(api, named));
  const list = await fill(api, id, recipients);
  tellDone(context, `${list.added} recipients are on the list${told(list)}.`, list);
}

interface Filled {
  added: number;
  duplicates: number;
}
const none: Filled = { added: 0, duplicates: 0 };
const told = ({ duplicates }: Filled): string =>
  duplicates === 0 ? "" : `; ${duplicates} were on it already`;

/** However long the file is, a piece of it is in memory at a time. */
async function fill(api: WorkspaceApi, id: number, file: string): Promise<Filled> {
  const total = { ...none };
  const progress = createProgress("recipients", undefined);
  try {
    for await (const recipients of readRecipients(file)) {
      const { added, duplicates } = await api.request("POST /workspaces/current/campaigns/{id}/recipients", {
        id,
        recipients,
      });
      total.added += added;
      total.duplicates += duplicates;
      progress.add(recipients.length);
    }
  } finally {
    progress.end();
  }
  return total;
}

const ended = new Set(["completed", "cancelled", "paused"]);

export async function watch(
  context: CommandContext,
  named: string,
  { workspace }: { workspace?: string },
): Promise<void> {
  const api = await context.inWorkspace(workspace);
  const id = Number(await findListed(campaigns)(api, named));
  const ask = () => api.request("GET /workspaces/current/campaigns/{id}", { id });
  let campaign = await ask();
  const doneOf = ({ counts }: typeof campaign): number =>
    counts.sent + counts.failed + counts.skipped + counts.cancelled;
  let done = doneOf(campaign);
  const progress = createProgress(campaign.name, campaign.recipients, { before: done });
  try {
    while (!ended.has(campaign.status) && !context.signal.aborted) {
      await wait(500, undefined, { signal: context.signal }).catch(() => {});
      campaign = await ask();
      progress.add(doneOf(campaign) - done);
      done = doneOf(campaign);
    }
  } finally {
    progress.end();
  }
  const { counts, name, status } = campaign;
  tellDone(
    context,
    `"${name}" is ${status}: ${counts.sent} sent, ${counts.failed} failed, ${counts.skipped} skipped, ${counts.cancelled} cancelled.`,
    campaign,
  );
}
