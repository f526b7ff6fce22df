import type { FollowFields } from "@posthorn/client";
import type { RequestedPage } from "../../program/connection/all-pages.ts";
import type { Api, FollowedEvent } from "../../program/connection/api.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import type { Paging } from "../../program/verbs/add-verb.ts";
import { defined } from "../../program/verbs/defined.ts";
import { csvHeader, csvLine } from "../../terminal/csv.ts";
import { eventLine } from "../../terminal/event-line.ts";
import { listPages } from "../../terminal/list-pages.ts";
import { safeJson } from "../../terminal/safe-text.ts";
import { whileRead } from "../../terminal/while-read.ts";
import { writeData } from "../../terminal/write-data.ts";
import type { categories } from "./categories.ts";
import { columns } from "./columns.ts";

interface Filters {
  category?: (typeof categories)[number];
  type?: string;
  workspace?: string;
  since?: number;
}

async function filterOf(context: CommandContext, { category, type, workspace }: Filters) {
  const place = workspace === undefined ? undefined : await context.workspace(workspace);
  return {
    ...defined({ category, type, workspaceId: place?.id }),
  };
}

export async function list(
  context: CommandContext,
  { page, size, all = false, ...filters }: Filters & Paging,
): Promise<void> {
  const api = await context.api();
  const since = filters.since === undefined ? {} : { since: new Date(filters.since).toISOString() };
  const { workspaceId, ...filter } = await filterOf(context, filters);
  const place = workspaceId === undefined ? {} : { workspace_id: workspaceId };
  const ask = (asked: RequestedPage) =>
    api.request("GET /admin/events", { ...asked, ...filter, ...place, ...since });
  await listPages(context, ask, {
    asks: "GET /admin/events",
    paging: { page, size, all },
    first: 0,
    columns,
  });
}

interface Tail extends Filters {
  follow?: boolean;
  sinceId?: number;
  lines: number;
}

export async function tail(context: CommandContext, options: Tail): Promise<void> {
  const api = await context.api();
  const { workspaceId, ...rest } = await filterOf(context, options);
  const filter = { ...rest, ...defined({ workspace_id: workspaceId }) };
  const { signal, output } = context;
  const waits = options.follow === true;
  let first: FollowedEvent | undefined;
  const write = async (event: FollowedEvent): Promise<void> => {
    const header = output.format === "csv" && first === undefined ? csvHeader(event) : "";
    first ??= event;
    await writeData(header + lineOf(event, first, output), signal);
  };

  let after = options.sinceId ?? 0;
  if (options.sinceId === undefined && options.since === undefined) {
    // The last id is read first: events committed later are followed, so that nothing is shown twice.
    after = (await api.request("GET /admin/events/position")).last_id;
    for (const event of await latest(api, { filter, until: after, lines: options.lines })) await write(event);
    if (!waits) return;
  }
  const since = options.since === undefined ? {} : { since: new Date(options.since).toISOString() };
  let last = after;
  const events = api.follow({ ...filter, ...since, after, waits, signal, tell: output.warn });
  for await (const event of waits ? whileRead(events) : events) {
    if (signal.aborted) break;
    await write(event);
    last = event.id;
  }
  // Without any event, after 0 there is the whole log.
  if (waits && !output.json && last > 0)
    output.note(
      `To continue from here: posthorn events tail --follow --since-id ${last}${sameFilter(options)}`,
    );
}

/** Returns an event as a line of the format; JSON has one object a line, as there is no end to a list. */
function lineOf(
  event: FollowedEvent,
  first: FollowedEvent,
  { format, json }: CommandContext["output"],
): string {
  if (format === "csv") return csvLine(event, first);
  return `${json ? safeJson(event) : eventLine(event)}\n`;
}

const sameFilter = ({ category, type }: Filters): string =>
  `${category === undefined ? "" : ` --category ${category}`}${type === undefined ? "" : ` --type ${type}`}`;

/** Returns the latest events before `until`, which a follower who starts there has missed, oldest first. */
async function latest(
  api: Api,
  { filter, until, lines }: { filter: Omit<FollowFields, "since">; until: number; lines: number },
): Promise<FollowedEvent[]> {
  if (lines === 0) return [];
  const { data } = await api.request("GET /admin/events", { ...filter, size: lines });
  return data.filter(({ id }) => id <= until).reverse();
}
