import { createReadStream, statSync } from "node:fs";
import { CliError } from "../../program/cli-error.ts";
import type { CommandContext } from "../../program/command-context.ts";
import { operatorCall } from "../../program/operator-call.ts";
import { createProgress, type Progress } from "../../terminal/progress.ts";
import { tellDone } from "../../terminal/tell.ts";
import { writeData } from "../../terminal/write-data.ts";

interface Importing {
  workspace?: string;
  dryRun?: boolean;
  resume?: number;
}

/** Rejected lines that people are shown one by one; JSON has up to 1,000. */
const shown = 10;

export async function importFile(
  context: CommandContext,
  path: string,
  { workspace: named, dryRun = false, resume = 1 }: Importing,
): Promise<void> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new CliError("not_found", `There is no file ${path}.`);
  const api = await context.inWorkspace(named);
  const progress = createProgress("lines", undefined);
  const { output, signal } = context;
  try {
    const done = await api.request("POST /workspaces/current/suppressions/import", {
      content: wholeLines(createReadStream(path), signal, progress),
      content_type: /\.(?:ndjson|jsonl)$/i.test(path) ? "application/x-ndjson" : "text/csv",
      from_line: resume,
      dry_run: dryRun,
    });
    progress.end();
    for (const { line, value, message } of done.rejected.slice(0, shown))
      output.warn(`line ${line}: ${value === "" ? "" : `"${value}" `}${message}`);
    if (done.rejected_total > shown) output.warn(`${done.rejected_total - shown} more lines are left out.`);
    const counts = `${done.added} added, ${done.updated} updated, ${done.unchanged} there already, ${done.rejected_total} left out`;
    tellDone(context, dryRun ? `It would be: ${counts}. Nothing was kept.` : `${counts}.`, done);
    if (signal.aborted)
      throw new CliError(
        "interrupted",
        `The import ended behind line ${done.last_line}.`,
        `Go on with: posthorn suppressions import ${path} --resume ${done.last_line + 1}`,
      );
  } finally {
    progress.end();
  }
}

/** A file up to its end, or to the last line that was whole when the signal came: half an address is another address. */
async function* wholeLines(
  file: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  progress: Progress,
): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of file) {
    if (signal.aborted) return;
    const end = chunk.lastIndexOf(10) + 1;
    if (end > 0) {
      const lines = Buffer.concat([rest, chunk.subarray(0, end)]);
      yield lines;
      progress.add(lines.reduce((count, byte) => (byte === 10 ? count + 1 : count), 0));
    }
    rest = end > 0 ? chunk.subarray(end) : Buffer.concat([rest, chunk]);
  }
  if (rest.length > 0) yield rest;
}

export async function exportFile(
  context: CommandContext,
  { workspace: named, as: format }: { workspace?: string; as: "csv" | "ndjson" },
): Promise<void> {
  const api = await context.inWorkspace(named);
  if (api.kind === "server") {
    const all = await api.request("GET /workspaces/current/suppressions/export", { format });
    return await writeData(Buffer.from(all).toString(), context.signal);
  }
  // From the database itself piece by piece, however many there are.
  const posthorn = await context.posthorn();
  const { content } = await posthorn.suppressions.export({ format }, operatorCall(api.workspace.id));
  for await (const chunk of content) {
    if (context.signal.aborted) return;
    await writeData(Buffer.from(chunk).toString(), context.signal);
  }
}
