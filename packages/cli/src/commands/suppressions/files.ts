import type { CommandContext } from "../../program/connection/command-context.ts";
import { assertWhole, importInParts } from "../../service/import-in-parts.ts";
import { reportDone } from "../../terminal/report-done.ts";
import { writePieces } from "../../terminal/write-data.ts";
import { createRepeats } from "./repeats.ts";

interface Importing {
  workspace?: string;
  dryRun?: boolean;
  resume?: number;
}

export async function importFile(
  context: CommandContext,
  path: string,
  { workspace: named, dryRun = false, resume = 1 }: Importing,
): Promise<void> {
  const api = await context.inWorkspace(named);
  const leaveOut = createRepeats();
  const { answers, ...lines } = await importInParts(context, {
    path,
    list: "suppressions",
    fromLine: resume,
    send: (content, parts) =>
      api.request("POST /workspaces/current/suppressions/import", {
        content: dryRun ? leaveOut(content) : content,
        content_type: "application/x-ndjson",
        dry_run: dryRun,
        ...parts,
      }),
  });
  const sum = (of: "added" | "updated" | "unchanged"): number =>
    answers.reduce((total, answer) => total + answer[of], 0);
  const unchanged = sum("unchanged") + leaveOut.count();
  const done = { added: sum("added"), updated: sum("updated"), unchanged, ...lines };
  const counts = `${done.added} added, ${done.updated} updated, ${done.unchanged} already there, ${done.rejected_total} left out`;
  reportDone(context, dryRun ? `Dry run: ${counts}. Nothing was stored.` : `${counts}.`, done);
  assertWhole(context, done);
}

export async function exportFile(
  context: CommandContext,
  { workspace: named, as }: { workspace?: string; as?: "csv" | "ndjson" },
): Promise<void> {
  const { output } = context;
  const format = as ?? (output.jsonAsked && output.format !== "csv" ? "ndjson" : "csv");
  const api = await context.inWorkspace(named);
  const all = api.download("GET /workspaces/current/suppressions/export", { format }, context);
  await writePieces(all, context.signal);
}
