import { open, rm } from "node:fs/promises";
import type { EmailStatus } from "@posthorn/core/storage";
import { emailWire } from "@posthorn/http/wire";
import type { RequestedPage } from "../../program/connection/all-pages.ts";
import type { Api } from "../../program/connection/api.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { operatorCall } from "../../program/connection/operator-call.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import type { Paging } from "../../program/verbs/add-verb.ts";
import { defined } from "../../program/verbs/defined.ts";
import { ageOf } from "../../terminal/durations.ts";
import { listPages } from "../../terminal/list-pages.ts";
import { readable, reportDone } from "../../terminal/report-done.ts";
import { writePieces } from "../../terminal/write-data.ts";
import { hitColumns, hitFields } from "./hit-words.ts";
import { readEmail } from "./read-email.ts";
import { reportedWords } from "./reported-words.ts";
import { type Part, parts, showContent } from "./show-content.ts";

interface ListOptions extends Paging {
  workspace?: string;
  status?: EmailStatus;
  to?: string;
  template?: string;
  batch?: string;
  apiKey?: string;
  tag?: string;
  metadata?: Record<string, string>;
  since?: number;
}

export async function list(
  context: CommandContext,
  { workspace: named, page, size, all = false, ...options }: ListOptions,
): Promise<void> {
  const filter = defined({
    status: options.status,
    to: options.to,
    template: options.template,
    batch_id: options.batch,
    api_key_id: options.apiKey,
    tag: options.tag,
    metadata: options.metadata,
    from_date: options.since === undefined ? undefined : new Date(options.since).toISOString(),
  });
  const now = Date.now();
  await listPages(context, await findLog(context, named, filter), {
    asks: "GET /workspaces/current/emails",
    paging: { page, size, all },
    first: 0,
    columns: [
      { title: "ID", cell: ({ id }) => id },
      { title: "AGE", cell: ({ created_at }) => ageOf(created_at, now), narrow: "spare" },
      { title: "STATUS", cell: ({ status }) => status },
      {
        title: "TO",
        cell: ({ to }) => (to.length > 1 ? `${to[0]} and ${to.length - 1} more` : to[0]),
        narrow: "cut",
      },
      { title: "TEMPLATE", cell: ({ template }) => template, narrow: "spare" },
      { title: "SUBJECT", cell: ({ subject }) => subject, narrow: "cut" },
    ],
  });
}

/**
 * Returns a function that reads a page of the log: of a key's workspace, of the given workspace or that of
 * `SERVICE_WORKSPACE`, or, at the database without one, of all.
 */
async function findLog(
  context: CommandContext,
  named: string | undefined,
  filter: Partial<
    Pick<ListOptions, "status" | "to" | "template" | "tag" | "metadata"> & {
      batch_id: string;
      api_key_id: string;
      from_date: string;
    }
  >,
) {
  const { kind } = await context.api();
  if (kind === "database" && (named ?? context.config().values.workspace) === undefined) {
    const posthorn = await context.posthorn();
    const { from_date: fromDate, batch_id: batchId, api_key_id: apiKeyId, ...rest } = filter;
    return async (page: RequestedPage) => {
      const input = { ...page, ...defined({ ...rest, batchId, apiKeyId, fromDate }) };
      const { items, after = null, ...pagination } = await posthorn.emails.list(input, operatorCall("all"));
      return { data: items.map(emailWire.from), pagination: { ...pagination, after } };
    };
  }
  const api = await context.inWorkspace(named);
  return (page: RequestedPage) =>
    api.isKey
      ? api.request("GET /emails", { ...page, ...filter })
      : api.request("GET /workspaces/current/emails", { ...page, ...filter });
}

export async function show(
  context: CommandContext,
  id: string,
  { workspace, ...asked }: { workspace?: string } & Partial<Record<Part, true>>,
): Promise<void> {
  const { output } = context;
  const part = parts.find((one) => asked[one] === true);
  if (part !== undefined) {
    const api = await enterPlaceOf(context, id, workspace);
    return await showContent(context, api, { id, part });
  }
  const email = await readEmail(context, id, workspace);
  if (output.json) return output.record({}, email);
  output.record({
    id: email.id,
    status: email.status,
    from: email.from,
    subject: email.subject,
    template: email.template,
    accepted: readable(email.created_at),
    "scheduled for": readable(email.scheduled_at),
    sent: readable(email.sent_at),
    tags: email.tags.join(", "),
    files: email.attachments
      .map(({ filename, size }) => `${filename || "a sealed file"} (${size} bytes)`)
      .join(", "),
    ...hitFields(email),
  });
  output.data("");
  output.list(email.recipients, [
    { title: "RECIPIENT", cell: ({ kind, address }) => `${kind} ${address}` },
    { title: "STATE", cell: ({ state }) => state },
    { title: "ATTEMPTS", cell: ({ attempts }) => attempts, align: "right" },
    { title: "LAST REPLY", cell: ({ last_reply }) => last_reply, narrow: "cut" },
    { title: "REPORTED", cell: reportedWords },
    ...hitColumns(email),
  ]);
  if (email.attempts.length === 0) return;
  output.data("");
  output.list(email.attempts, [
    { title: "ATTEMPT", cell: ({ number }) => number, align: "right" },
    { title: "STARTED", cell: ({ started_at }) => readable(started_at) },
    { title: "OUTCOME", cell: ({ outcome, in_doubt }) => (in_doubt ? `${outcome}, in doubt` : outcome) },
    { title: "REPLY", cell: ({ reply }) => reply, narrow: "cut" },
  ]);
}

export async function cancel(
  context: CommandContext,
  id: string,
  { workspace }: { workspace?: string },
): Promise<void> {
  const before = await readEmail(context, id, workspace);
  await context.confirm(`Cancel "${before.subject}" to ${before.to.join(", ")}?`);
  const api = await enterPlaceOf(context, id, workspace);
  const email = api.isKey
    ? await api.request("POST /emails/{id}/cancel", { id })
    : await api.request("POST /workspaces/current/emails/{id}/cancel", { id });
  reportDone(context, `${email.id} is cancelled.`, email);
}

/** Returns the API for the workspace of an e-mail. Throws `not_allowed` for one of the service's own. */
async function enterPlaceOf(context: CommandContext, id: string, named: string | undefined): Promise<Api> {
  const api = await context.api();
  if (api.kind === "server" || named !== undefined) return await context.inWorkspace(named);
  const posthorn = await context.posthorn();
  const { workspaceId } = await posthorn.emails.get({ emailId: id }, operatorCall("all"));
  if (workspaceId === undefined)
    throw new CliError(
      "not_allowed",
      "It is one of the service's own e-mails: it can't be cancelled, has no files, and is shown only to its recipient.",
    );
  return api.on(workspaceId);
}

export async function retry(
  context: CommandContext,
  id: string,
  { workspace }: { workspace?: string },
): Promise<void> {
  const api = await context.api();
  if (api.kind === "database" && workspace === undefined) {
    const posthorn = await context.posthorn();
    const email = await posthorn.emails.retry({ emailId: id }, operatorCall("all"));
    return reportDone(context, `${email.id} is queued again.`, emailWire.from(email));
  }
  const { request } = await context.inWorkspace(workspace);
  const email = await request("POST /workspaces/current/emails/{id}/retry", { id });
  reportDone(context, `${email.id} is queued again.`, email);
}

/** Reschedules a waiting e-mail; `now` sends it at once. */
export async function reschedule(
  context: CommandContext,
  id: string,
  time: string,
  { workspace }: { workspace?: string },
): Promise<void> {
  const api = await enterPlaceOf(context, id, workspace);
  const fields = { id, scheduled_at: time === "now" ? null : time };
  const email = api.isKey
    ? await api.request("PATCH /emails/{id}", fields)
    : await api.request("PATCH /workspaces/current/emails/{id}", fields);
  const when =
    email.scheduled_at === null ? "will be sent now" : `will be sent at ${readable(email.scheduled_at)}`;
  reportDone(context, `${email.id} ${when}.`, email);
}

/** Writes a file of an e-mail as sent to standard output, or to a new file. */
export async function attachment(
  context: CommandContext,
  id: string,
  position: string,
  { workspace, output: path }: { workspace?: string; output?: string },
): Promise<void> {
  if (path === undefined && process.stdout.isTTY === true)
    throw new CliError(
      "usage",
      "A file's bytes can't be shown on a terminal.",
      "Write them to a file: --output file.pdf, or > file.pdf",
    );
  const api = await enterPlaceOf(context, id, workspace);
  const line = "GET /workspaces/current/emails/{id}/attachments/{position}";
  const pieces = api.download(line, { id, position }, context);
  if (path === undefined) await writePieces(pieces, context.signal);
  else await saveFile(path, pieces);
}

/** A file that could not be saved completely is deleted. */
async function saveFile(path: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(pieces);
  } catch (error) {
    await rm(path);
    throw error;
  } finally {
    await file.close();
  }
}
