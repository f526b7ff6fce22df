import type { CommandContext } from "../../program/connection/command-context.ts";
import { findListed } from "../../program/verbs/find-listed.ts";
import { stylesheets } from "../../program/verbs/listed-things.ts";
import { applyChanges } from "../../template-folder/apply-changes.ts";
import { namingFiles } from "../../template-folder/fault-in-files.ts";
import { stemOf } from "../../template-folder/file-names.ts";
import { planStylesheetPush } from "../../template-folder/plan-push.ts";
import { readFolder } from "../../template-folder/read-folder.ts";
import { readStylesheets } from "../../template-folder/read-workspace.ts";
import { shownText } from "../../terminal/safe-text.ts";
import { pullFiles } from "../templates/syncing.ts";

interface InWorkspace {
  workspace?: string;
}

/** CSS is written as text, so that it can be redirected to a file. */
export async function show(context: CommandContext, named: string, options: InWorkspace): Promise<void> {
  const api = await context.inWorkspace(options.workspace);
  const id = await findListed(stylesheets)(api, named);
  const stylesheet = await api.request("GET /workspaces/current/stylesheets/{id}", { id });
  if (context.output.jsonAsked) context.output.record({}, stylesheet);
  else context.output.data(shownText(stylesheet.css));
}

export async function push(
  context: CommandContext,
  path: string,
  { workspace: named, dryRun = false }: InWorkspace & { dryRun?: boolean },
): Promise<void> {
  const folder = await readFolder(path, { isWanted: ({ extension }) => extension === ".css" });
  const api = await context.inWorkspace(named);
  const stored = await readStylesheets(api);
  const changes = planStylesheetPush({ api }, folder.stylesheets, stored);
  await applyChanges(context, namingFiles(changes, folder), {
    doing: "Pushing",
    dryRun,
    question: context.output.interactive
      ? (count) => `Push ${count} to the workspace "${api.workspace.name}"?`
      : undefined,
  });
}

export async function pull(
  context: CommandContext,
  path: string,
  { workspace: named, dryRun = false }: InWorkspace & { dryRun?: boolean },
): Promise<void> {
  const api = await context.inWorkspace(named);
  const files = new Map<string, string>();
  for (const { name, css } of (await readStylesheets(api)).values()) files.set(`${stemOf(name)}.css`, css);
  await pullFiles(context, path, { files, dryRun });
}
