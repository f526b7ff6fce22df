import type { RouteSignature } from "@posthorn/client";
import { listPages } from "../../terminal/list-pages.ts";
import { reportDone } from "../../terminal/report-done.ts";
import { allWritten, isDiscarded } from "../../terminal/write-data.ts";
import { CliError } from "../errors/cli-error.ts";
import { actsOnWorkspace } from "../verbs/acts-on-workspace.ts";
import type { Paging } from "../verbs/add-verb.ts";
import { argumentsOf, type Find, type RouteVerb } from "../verbs/route-verb-shape.ts";
import type { RequestedPage } from "./all-pages.ts";
import type { Api, NamedWorkspace } from "./api.ts";
import type { CommandContext } from "./command-context.ts";
import { listedFields } from "./listed-fields.ts";

type Options = Partial<Paging> & { workspace?: string } & Record<string, unknown>;

/**
 * Runs a verb: resolves names to ids and options to fields, asks for confirmation, calls the route, and prints the
 * result.
 */
export async function askRoute(
  context: CommandContext,
  verb: RouteVerb<RouteSignature>,
  given: readonly unknown[],
): Promise<void> {
  const options = given.at(-1) as Options;
  // Commander returns a list for `<address...>`.
  const args = given.slice(0, -1).filter((one) => typeof one === "string" || Array.isArray(one));
  const named = args.flat() as string[];
  const api: Api & { workspace?: NamedWorkspace } = actsOnWorkspace(verb.asks)
    ? await context.inWorkspace(options.workspace)
    : await context.api();
  const fields = {
    ...verb.fields,
    ...(await readOptions(verb, options)),
    ...(await findArguments(api, verb, args)),
  };
  const { confirm, ask } = verb;
  const question = confirm?.(named, api.workspace, fields as never);
  if (question !== undefined) await context.confirm(question, ask && (() => ask(api, fields as never)));
  if (verb.pagesFrom !== undefined) return await listAnswers(context, api, verb, { fields, options });
  if (verb.secret !== undefined) assertSeen();
  const reply: unknown = await api.request(verb.asks, fields as never);
  await tellReply(context, verb as unknown as Telling, reply, { named, fields });
}

/** The parts of a verb that determine how its result is printed. */
type Telling = Pick<RouteVerb<"GET /workspaces/current/webhooks">, "asks" | "columns"> & {
  done?: (reply: unknown, named: readonly string[], fields: object) => string;
  caution?: (reply: unknown) => string | undefined;
  secret?: { of: (reply: unknown) => string; ifLost: string };
};

async function tellReply(
  context: CommandContext,
  verb: Telling,
  reply: unknown,
  { named, fields }: { named: readonly string[]; fields: object },
): Promise<void> {
  const { output } = context;
  const { asks, columns = [], secret } = verb;
  const done = verb.done?.(reply, named, fields);
  const caution = verb.caution?.(reply);
  if (caution !== undefined) output.warn(caution);
  if (secret !== undefined) {
    output.done(`${done ?? "Done."} It is shown only once${output.jsonAsked ? "." : ":"}`);
    // A secret is written as text, without anything around it, so that it can be piped to a file or a secret store.
    if (output.jsonAsked) output.record({}, reply);
    else output.data(secret.of(reply));
    await allWritten().catch((cause: NodeJS.ErrnoException) => {
      const why = cause.code === "ENOSPC" ? "the disk is full" : "nobody reads standard output";
      throw new CliError("failed", `What is shown only once could not be written: ${why}.`, secret.ifLost, {
        cause,
      });
    });
  } else if (done !== undefined && reply === undefined) output.done(done);
  else if (done !== undefined) reportDone(context, done, reply);
  else if (Array.isArray(reply)) await output.answers(reply, columns, () => listedFields(asks));
  else {
    const row = reply as Parameters<(typeof columns)[number]["cell"]>[0];
    output.record(Object.fromEntries(columns.map(({ title, cell }) => [nameOf(title), cell(row)])), reply);
  }
}

/** Throws, before anything is made, if nobody would see what is shown only once: standard output is closed. */
function assertSeen(): void {
  if (!isDiscarded()) return;
  throw new CliError(
    "usage",
    "Standard output is closed or discarded, and would get what is shown only once: nothing was done.",
    "Redirect it to a file that only you can read.",
  );
}

/** Returns a column's title as the name of a line: titles of tables are in capitals. */
const nameOf = (title: string): string => (title === title.toUpperCase() ? title.toLowerCase() : title);

async function listAnswers(
  context: CommandContext,
  api: Api,
  verb: RouteVerb<RouteSignature>,
  { fields, options }: { fields: Record<string, unknown>; options: Options },
): Promise<void> {
  const ask = async (page: RequestedPage) =>
    (await api.request(verb.asks, { ...fields, ...page } as never)) as never;
  const { page = 0, size = 20, all = false } = options;
  await listPages(context, ask, {
    asks: verb.asks,
    columns: verb.columns ?? [],
    paging: { page, size, all },
    first: verb.pagesFrom ?? 0,
  });
}

async function readOptions(
  { options = [] }: RouteVerb<RouteSignature>,
  given: Options,
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const { flags, field, load } of options) {
    const value = given[keyOf(flags)];
    if (value === undefined) continue;
    fields[field] = load === undefined ? value : await load(String(value));
  }
  return fields;
}

/** Returns commander's name for an option: `--reply-to <mailbox>` as `replyTo`. */
function keyOf(flags: string): string {
  const long = /--([\w-]+)/.exec(flags)?.[1] ?? "";
  return long.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

async function findArguments(
  api: Api,
  verb: RouteVerb<RouteSignature>,
  given: readonly unknown[],
): Promise<Record<string, unknown>> {
  const names = argumentsOf(verb);
  const fields: Record<string, unknown> = {};
  for (const [at, value] of given.entries()) {
    const field = names[at];
    if (field === undefined) continue;
    const finder = (verb.find as Partial<Record<string, Find>> | undefined)?.[field];
    fields[field] = finder === undefined || typeof value !== "string" ? value : await finder(api, value);
  }
  const fallback = verb.fallback as Record<string, (api: Api) => Promise<string | number>> | undefined;
  for (const [field, find] of Object.entries(fallback ?? {})) fields[field] ??= await find(api);
  return fields;
}
