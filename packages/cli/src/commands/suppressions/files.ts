import type { CommandContext } from "../../program/command-context.ts";
import { operatorCall } from "../../program/operator-call.ts";
import { assertWhole, importInParts } from "../../service/import-in-parts.ts";
import { tellDone } from "../../terminal/tell.ts";
import { writeData } from "../../terminal/write-data.ts";

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
  const goOn = (line: number): string => `posthorn suppressions import ${path} --resume ${line}`;
  const { answers, ...lines } = await importInParts(context, {
    path,
    list: "suppressions",
    fromLine: resume,
    goOn,
    send: (content) =>
      api.request("POST /workspaces/current/suppressions/import", {
        content,
        content_type: "application/x-ndjson",
        dry_run: dryRun,
      }),
  });
  const sum = (of: "added" | "updated" | "unchanged"): number =>
    answers.reduce((total, answer) => total + answer[of], 0);
  const done = { added: sum("added"), updated: sum("updated"), unchanged: sum("unchanged"), ...lines };
  const counts = `${done.added} added, ${done.updated} updated, ${done.unchanged} there already, ${done.rejected_total} left out`;
  tellDone(context, dryRun ? `It would be: ${counts}. Nothing was kept.` : `${counts}.`, done);
  assertWhole(context, done, goOn);
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
