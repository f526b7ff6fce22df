import { stylesheetWire } from "@posthorn/http/wire";
import type { CommandContext } from "../../program/command-context.ts";
import { findWorkspace } from "../../program/find-named.ts";
import { applyChanges } from "../../template-folder/apply-changes.ts";
import { stemOf } from "../../template-folder/file-names.ts";
import { planStylesheetPush } from "../../template-folder/plan-push.ts";
import { readFolder } from "../../template-folder/read-folder.ts";
import { readStylesheets } from "../../template-folder/read-workspace.ts";
import { readable } from "../../terminal/tell.ts";
import { pullFiles } from "../templates/syncing.ts";

interface InWorkspace {
  workspace: string;
}

export async function list(context: CommandContext, options: InWorkspace): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, options.workspace);
  const stored = [...(await readStylesheets(posthorn, workspace.id)).values()];
  context.output.list(
    stored.sort((one, other) => (one.name < other.name ? -1 : 1)),
    [
      { title: "NAME", cell: ({ name }) => name },
      { title: "BYTES", cell: ({ css }) => Buffer.byteLength(css), align: "right" },
      { title: "CHANGED", cell: ({ updatedAt }) => readable(updatedAt) },
      { title: "ID", cell: ({ id }) => id },
    ],
    stylesheetWire.from,
  );
}

export async function push(
  context: CommandContext,
  path: string,
  { workspace: named, dryRun = false }: InWorkspace & { dryRun?: boolean },
): Promise<void> {
  const { stylesheets } = await readFolder(path);
  const posthorn = await context.posthorn();
  const { id: workspaceId, name: place } = await findWorkspace(posthorn, named);
  const stored = await readStylesheets(posthorn, workspaceId);
  await applyChanges(context, planStylesheetPush({ posthorn, workspaceId }, stylesheets, stored), {
    doing: "Pushing",
    dryRun,
    question: context.output.interactive
      ? (count) => `Push ${count} to the workspace "${place}"?`
      : undefined,
  });
}

export async function pull(
  context: CommandContext,
  path: string,
  { workspace: named, dryRun = false }: InWorkspace & { dryRun?: boolean },
): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, named);
  const files = new Map<string, string>();
  for (const { name, css } of (await readStylesheets(posthorn, workspace.id)).values())
    files.set(`${stemOf(name)}.css`, css);
  await pullFiles(context, path, { files, dryRun });
}
