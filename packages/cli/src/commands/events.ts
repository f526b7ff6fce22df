import { eventWire } from "@posthorn/http/wire";
import type { Command } from "commander";
import { addPaging, addVerb, type Paging } from "../add-verb.ts";
import type { CommandContext } from "../command-context.ts";
import type { Register } from "../commands.ts";
import { eventLine } from "../event-line.ts";
import { findWorkspace } from "../find-named.ts";
import { followThroughFailures } from "../follow-through-failures.ts";
import { operatorCall } from "../operator-call.ts";
import { moment, oneOf, wholeNumber } from "../option-values.ts";
import { safeJson } from "../safe-text.ts";
import { readable, tellPage } from "../tell.ts";
import { writeData } from "../write-data.ts";

export const register: Register = (command, act) => {
  addPaging(
    addFilters(
      addVerb(command, "list", {
        summary: "list events, newest first",
        example: "posthorn events list --category audit --since 7d",
        isDefault: true,
      }),
    ),
  ).action(act(list));
  addFilters(
    addVerb(command, "tail", {
      summary: "write events, oldest first, and with --follow each one as it happens",
      details:
        "On a terminal one line an event; in a pipe, or with --json, one JSON object a line. A restart of the database is waited for. The last id written is where --since-id goes on, without a gap.",
      example: [
        "posthorn events tail --follow --category audit",
        "posthorn events tail --follow --since 1h --workspace Shop",
        "posthorn events tail --since-id 4711 | jq -r .message",
      ],
    }),
  )
    .option("-f, --follow", "go on until Ctrl-C")
    .option(
      "--since-id <id>",
      "only events after the one with this id; 0 for all",
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    )
    .option("-n, --lines <number>", "how many of the latest to begin with", wholeNumber(0, 100), 10)
    .action(act(tail));
};

const categories = ["audit", "email", "webhook", "campaign", "system"] as const;

function addFilters(verb: Command): Command {
  return verb
    .option("--category <category>", `one of ${categories.join(", ")}`, oneOf(...categories))
    .option("--type <type>", "a type, such as user.login or email.failed")
    .option("--workspace <id or name>", "only what happened in this workspace")
    .option("--since <when>", "only from then on: 15m, 1h, 7d, or an ISO 8601 time", moment);
}

interface Filters {
  category?: (typeof categories)[number];
  type?: string;
  workspace?: string;
  since?: number;
}

async function filterOf(context: CommandContext, { category, type, workspace }: Filters) {
  const place =
    workspace === undefined ? undefined : await findWorkspace(await context.posthorn(), workspace);
  return {
    ...(category === undefined ? {} : { category }),
    ...(type === undefined ? {} : { type }),
    ...(place === undefined ? {} : { workspaceId: place.id }),
  };
}

async function list(context: CommandContext, { page, size, ...filters }: Filters & Paging): Promise<void> {
  const posthorn = await context.posthorn();
  const since = filters.since === undefined ? {} : { since: new Date(filters.since).toISOString() };
  const filter = await filterOf(context, filters);
  const found = await posthorn.events.list({ page, size, ...filter, ...since }, operatorCall());
  tellPage(context, found, {
    columns: [
      { title: "ID", cell: ({ id }) => id, align: "right" },
      { title: "TIME", cell: ({ createdAt }) => readable(createdAt) },
      { title: "TYPE", cell: ({ type }) => type },
      { title: "WORKSPACE", cell: ({ workspaceId }) => workspaceId, align: "right" },
      { title: "MESSAGE", cell: ({ message }) => message },
    ],
    wire: eventWire.from,
  });
}

interface Tail extends Filters {
  follow?: boolean;
  sinceId?: number;
  lines: number;
}

type EventRecord = Parameters<typeof eventLine>[0];

async function tail(context: CommandContext, options: Tail): Promise<void> {
  const posthorn = await context.posthorn();
  const filter = await filterOf(context, options);
  const { signal } = context;
  const write = (event: EventRecord): Promise<void> =>
    writeData(`${context.output.json ? safeJson(eventWire.from(event)) : eventLine(event)}\n`, signal);

  let after = options.sinceId ?? 0;
  if (options.sinceId === undefined && options.since === undefined) {
    // The id first: what is committed after it is followed, and nothing is shown twice.
    after = await posthorn.storage.events.lastId();
    for (const event of await latest(context, { filter, until: after, lines: options.lines }))
      await write(event);
    if (options.follow !== true) return;
  }
  const wanted = { ...filter, since: options.since };
  const events =
    options.follow === true
      ? followThroughFailures(posthorn, { ...wanted, after, signal, tell: context.output.warn })
      : untilNow(context, after, wanted);
  let last = after;
  for await (const event of events) {
    if (signal.aborted) break;
    await write(event);
    last = event.id;
  }
  if (options.follow === true && !context.output.json)
    context.output.note(`To go on from here: posthorn events tail --follow --since-id ${last}`);
}

/** The latest events that a follower who begins at `until` would have seen, oldest first. */
async function latest(
  context: CommandContext,
  { filter, until, lines }: { filter: Awaited<ReturnType<typeof filterOf>>; until: number; lines: number },
): Promise<EventRecord[]> {
  if (lines === 0) return [];
  const posthorn = await context.posthorn();
  const { items } = await posthorn.events.list({ ...filter, size: lines }, operatorCall());
  return items.filter(({ id }) => id <= until).reverse();
}

const batch = 500;

async function* untilNow(
  context: CommandContext,
  after: number,
  filter: Awaited<ReturnType<typeof filterOf>> & { since: number | undefined },
): AsyncGenerator<EventRecord> {
  const { events } = (await context.posthorn()).storage;
  for (let last = after; !context.signal.aborted; ) {
    const found = await events.listAfter(last, filter, batch);
    yield* found;
    last = found.at(-1)?.id ?? last;
    if (found.length < batch) return;
  }
}
