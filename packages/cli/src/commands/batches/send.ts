import { createHash } from "node:crypto";
import type { ApiFieldFault, DryRunOf, Reply } from "@posthorn/client";
import type { Api } from "../../program/connection/api.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { failureOf } from "../../program/errors/failure-of.ts";
import { defined } from "../../program/verbs/defined.ts";
import { countOf } from "../../terminal/count-of.ts";
import { createProgress } from "../../terminal/progress.ts";
import { readContent } from "../../terminal/read-content.ts";
import { readData } from "../../terminal/read-input.ts";
import { reportDone } from "../../terminal/report-done.ts";
import { openSentFiles, outputFiles } from "../emails/sent-files.ts";
import { findSmtpServer, type SentOptions, sentFields } from "../emails/sent-options.ts";
import { type BatchFields, type BatchItem, inPieces, readBatchFile } from "./read-items.ts";

interface SendOptions extends SentOptions {
  skipInvalid?: boolean;
  allowDuplicates?: boolean;
  size?: number;
}

/** Maximum size of a batch. */
const most = 10_000;
/** Maximum number of faults and skipped e-mails that are reported individually. */
const maxTold = 20;

export async function send(context: CommandContext, path: string, options: SendOptions): Promise<void> {
  const files = openSentFiles(options);
  const given = await readShared(options);
  const file = await readBatchFile(path);
  const api = await context.inWorkspace(options.workspace);
  const attachments = files.length === 0 ? {} : { attachments: await outputFiles(api, files, options) };
  const { smtpServer: named } = options;
  const server = named === undefined ? {} : { smtp_server_id: await findSmtpServer(api, named) };
  const shared: BatchFields = { ...file.shared, ...given, ...server, ...attachments };
  const saysAll = shared.template !== undefined || shared.subject !== undefined;
  const list = file.list ?? (saysAll ? "recipients" : "emails");
  const progress = createProgress("e-mails", undefined);
  const answers: At<Answer>[] = [];
  let at = 0;
  try {
    for await (const items of inPieces(file.items, options.size ?? most)) {
      const fields = { ...shared, [list]: items.map(({ fields }) => fields) } as BatchFields;
      const place = placesOf(items, { list, at });
      if (context.signal.aborted)
        throw new CliError("interrupted", `The sending stopped before ${place(0)}.`, goOnHint(options));
      answers.push({ place, answer: await ask(context, api, fields, { options, at, place }) });
      at += items.length;
      progress.add(items.length);
    }
  } catch (error) {
    if (at > 0 && options.dryRun !== true)
      context.output.warn(`the first ${at} were accepted before this: batch ${idsOf(answers as At<Sent>[])}`);
    throw error;
  } finally {
    progress.end();
  }
  if (answers.length === 0) throw new CliError("usage", `${path} lists no recipients.`);
  if (options.dryRun === true) tellTried(context, answers as At<Tried>[], options);
  else tellSent(context, answers as At<Sent>[]);
}

const goOnHint = ({ idempotencyKey: key }: SendOptions): string | undefined =>
  key === undefined ? undefined : "The same command continues, and sends nothing twice: its key is the same.";

/** An answer, and whether the same key had it before: the command repeats nothing by itself without one. */
type Sent = Reply<"POST /emails/batch"> & { replayed: boolean };
type Tried = DryRunOf<"POST /emails/batch">;
type Answer = Sent | Tried;
/** Names the place of an item in the file, by its index in the batch. */
type Place = (index: number) => string;
/** An answer with the places of its items. */
type At<T extends Answer> = { place: Place; answer: T };

/** Names lines where the file has them, otherwise counts through the whole file; `at` items were in batches before. */
function placesOf(items: readonly BatchItem[], { list, at }: { list: string; at: number }): Place {
  const lines = items.map(({ line }) => line);
  const noun = list === "recipients" ? "recipient" : "e-mail";
  return (index) => (lines[index] === undefined ? `${noun} ${at + index + 1}` : `line ${lines[index]}`);
}

const idsOf = (answers: readonly At<Sent>[]): string =>
  answers.map(({ answer }) => answer.batch_id).join(", ");

/** Maximum length of an idempotency key (decisions §7). */
const longestKey = 255;

/** Each batch of a long file gets a key of its own, from the given one, or from its digest if that leaves no room. */
function keyAt(key: string, at: number): string {
  if (at === 0) return key;
  const derived = `${key}/${at}`;
  return derived.length <= longestKey ? derived : `${createHash("sha256").update(key).digest("hex")}/${at}`;
}

async function ask(
  context: CommandContext,
  api: Api,
  fields: BatchFields,
  { options: { dryRun, idempotencyKey: key }, at, place }: { options: SendOptions; at: number; place: Place },
): Promise<Answer> {
  try {
    if (dryRun === true) return await api.dryRun("POST /emails/batch", fields);
    let replayed = false;
    const onReplayed = () => {
      replayed = true;
    };
    const options = key === undefined ? {} : { idempotencyKey: keyAt(key, at), onReplayed };
    const answer = await api.request("POST /emails/batch", fields, options);
    return { ...answer, replayed };
  } catch (error) {
    throw faultsTold(context, error, { at, place });
  }
}

/** Path of a fault in an item of the batch: other fields are shared by all, and may have items of their own. */
const inItem = /^(?:recipients|emails)\.(\d+)(?:\.|$)/;

/**
 * Converts a refusal whose faults were printed individually, with positions in the file; returns any other error
 * unchanged, as that of a field which all e-mails share.
 */
function faultsTold(
  { output }: CommandContext,
  error: unknown,
  { at, place }: { at: number; place: Place },
): unknown {
  const { code, details, message } = Object(error) as { code?: string; details?: unknown; message?: string };
  if (code === undefined || message === undefined || !Array.isArray(details)) return error;
  const faults = details as ApiFieldFault[];
  if (!faults.some(({ path }) => inItem.test(path))) return error;
  for (const fault of faults.slice(0, maxTold)) output.warn(`${placeOf(fault.path, place)} ${fault.message}`);
  const sent = at === 0 ? " Nothing was sent." : "";
  const left = faults.length > maxTold ? ` ${faults.length - maxTold} more faults are not shown.` : "";
  return new CliError(
    failureOf(code),
    `Some e-mails can't be sent.${sent}${left}`,
    "To leave these out: --skip-invalid",
    {
      cause: error,
      code,
    },
  );
}

/** Returns `recipients.4.to` as `recipient 5, to:` or `line 7, to:`. */
function placeOf(path: string, place: Place): string {
  const [whole, index] = inItem.exec(path) ?? [];
  if (whole === undefined) return `${path}:`;
  const inside = path.slice(whole.length).split(".").filter(Boolean);
  return `${[place(Number(index)), ...inside].join(", ")}:`;
}

function tellSent(context: CommandContext, answers: At<Sent>[]): void {
  const repeats = answers.filter(({ answer }) => answer.replayed).length;
  const count = answers.reduce((sum, { answer }) => sum + answer.emails.length, 0);
  const skipped = answers.flatMap(({ place, answer }) =>
    answer.skipped.map((one) => ({ ...one, at: place(one.index) })),
  );
  tellSkipped(context, skipped);
  const ids = idsOf(answers);
  const left = skipped.length === 0 ? "" : `, ${countOf(skipped.length, "is", "are")} left out`;
  const [only] = answers;
  const wire = answers.length === 1 ? only?.answer : answers.map(({ answer }) => answer);
  if (count > 0 || skipped.every(({ code }) => code === "deduplicated")) {
    const many = countOf(count, "e-mail", "e-mails");
    const words =
      repeats > 0 && repeats === answers.length
        ? `${many} had been accepted before, under the same key`
        : `${many} ${count === 1 ? "is" : "are"} accepted`;
    const some =
      repeats > 0 && repeats < answers.length ? `, ${repeats} of ${answers.length} batches before` : "";
    reportDone(context, `${words}${some}${left}: batch ${ids}.`, wire);
    return;
  }
  if (context.output.json) context.output.record({}, wire);
  throw new CliError(
    "failed",
    `Nothing was sent: ${skipped.length === 1 ? "the only e-mail is" : `all ${skipped.length} e-mails are`} left out, in batch ${ids}.`,
  );
}

function tellTried(context: CommandContext, answers: At<Tried>[], { skipInvalid }: SendOptions): void {
  const { output } = context;
  const faults = answers.flatMap(({ place, answer }) =>
    answer.faults.map((one) => ({ ...one, at: place(one.index) })),
  );
  tellSkipped(context, faults);
  const sum = (of: (answer: Tried) => number) => answers.reduce((total, { answer }) => total + of(answer), 0);
  const reasons = new Map(answers.flatMap(({ answer }) => answer.reasons).map((one) => [one.message, one]));
  const warnings = new Map(answers.flatMap(({ answer }) => answer.warnings).map((one) => [one.code, one]));
  const [only] = answers;
  output.record(
    {
      "would send": answers.every(({ answer }) => answer.would_send) ? "yes" : "no",
      because: [...reasons.keys()].join(" "),
      requested: sum(({ counts }) => counts.total),
      accepted: sum(({ counts }) => counts.accepted),
      suppressed: sum(({ counts }) => counts.suppressed),
      "with faults": new Set(faults.map(({ at }) => at)).size,
      bytes: Math.max(...answers.map(({ answer }) => answer.size_bytes)),
    },
    answers.length === 1 ? only?.answer : answers.map(({ answer }) => answer),
  );
  for (const { message } of warnings.values()) output.warn(message);
  const [first] = reasons.values();
  if (first !== undefined)
    throw new CliError(failureOf(first.code), first.message, undefined, { code: first.code });
  if (answers.every(({ answer }) => answer.would_send)) return;
  const isLeftOut = skipInvalid === true && sum(({ counts }) => counts.accepted) === 0 && faults.length > 0;
  if (isLeftOut) throw new CliError("failed", "Nothing would be sent: all e-mails are left out.");
  // What was sent before, or is suppressed, refuses nothing.
  if (skipInvalid !== true && faults.some(({ code }) => code !== "recipient_suppressed"))
    throw new CliError(
      "failed",
      "The batch would be refused.",
      "To leave out what can't be sent: --skip-invalid",
    );
}

function tellSkipped(
  { output }: CommandContext,
  skipped: readonly (Sent["skipped"][number] & { at: string })[],
): void {
  for (const { at, to, code, message } of skipped.slice(0, maxTold))
    output.warn(`${at}, ${to === "" ? "without an address" : to}: ${code}: ${message}`);
  if (skipped.length > maxTold) output.warn(`${skipped.length - maxTold} more are not shown: see --json`);
}

async function readShared(options: SendOptions): Promise<BatchFields> {
  const { template, subject, html, text, data, allowMissing, allowDuplicates, skipInvalid } = options;
  return {
    ...sentFields(options),
    ...defined({ template, subject, allow_missing: allowMissing, allow_duplicates: allowDuplicates }),
    ...(await readContent({ html, text, files: [] })),
    ...(data === undefined ? {} : { template_data: await readData(data) }),
    ...(skipInvalid === true ? { on_invalid: "skip" as const } : {}),
  };
}
