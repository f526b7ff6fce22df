import { extname, join } from "node:path";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { applyChanges } from "../../template-folder/apply-changes.ts";
import { namingFiles } from "../../template-folder/fault-in-files.ts";
import { stemOf } from "../../template-folder/file-names.ts";
import { planPull } from "../../template-folder/plan-pull.ts";
import { planStylesheetPush, planTemplatePush } from "../../template-folder/plan-push.ts";
import { listSources, readFolder } from "../../template-folder/read-folder.ts";
import { readIfThere } from "../../template-folder/read-if-there.ts";
import { readStylesheets, readTemplates, type StoredTemplate } from "../../template-folder/read-workspace.ts";
import { filesOf, fullTemplateOf } from "../../template-folder/template-files.ts";
import { pickVersion } from "./pick-version.ts";

interface Syncing {
  workspace?: string;
  dryRun?: boolean;
}

export async function push(
  context: CommandContext,
  path: string,
  names: string[],
  { workspace: named, dryRun = false, activate = false }: Syncing & { activate?: boolean },
): Promise<void> {
  const folder = await readFolder(path, {
    isWanted: ({ name }) => names.length === 0 || names.includes(name),
  });
  const unknown = names.find((name) => !folder.templates.has(name));
  if (unknown !== undefined) throw new CliError("not_found", `${path} has no template "${unknown}".`);
  const api = await context.inWorkspace(named);
  const { templates: local } = folder;
  const target = { api, activate };
  // Stylesheets first, because templates pushed after them are inlined with them. Templates selected by name are pushed
  // alone.
  const styles =
    names.length > 0 ? [] : planStylesheetPush(target, folder.stylesheets, await readStylesheets(api));
  const changes = [
    ...styles,
    ...planTemplatePush(target, local, await readTemplates(api, new Set(local.keys()))),
  ];
  await applyChanges(context, namingFiles(changes, folder), {
    doing: "Pushing",
    dryRun,
    // New versions have no effect before they are activated, so programs need not confirm them.
    question: context.output.interactive
      ? (count) => `Push ${count} to the workspace "${api.workspace.name}"?`
      : undefined,
  });
}

export async function pull(
  context: CommandContext,
  path: string,
  names: string[],
  { workspace: named, dryRun = false, active = false }: Syncing & { active?: boolean },
): Promise<void> {
  const api = await context.inWorkspace(named);
  const stored = await readTemplates(api, names.length === 0 ? undefined : new Set(names));
  const unknown = names.find((name) => !stored.has(name));
  if (unknown !== undefined) throw new CliError("not_found", `The workspace has no template "${unknown}".`);
  const files = new Map<string, string>();
  const wanted = async (one: StoredTemplate): Promise<StoredTemplate> =>
    active ? { ...one, newest: await pickVersion(api, { template: one.template }) } : one;
  for (const [name, template] of stored) {
    for (const [file, content] of filesOf(name, fullTemplateOf(await wanted(template))))
      files.set(file, content);
    // A part that the template has no longer: the next push would bring it back.
    for (const part of [`${stemOf(name)}.html`, `${stemOf(name)}.txt`])
      if (!files.has(part) && (await readIfThere(join(path, part)))) files.set(part, "");
  }
  for (const file of await listSources(path)) {
    // The html and text of a source are not pulled: a push renders them from it.
    const stem = file.slice(0, -extname(file).length);
    for (const made of [`${stem}.html`, `${stem}.txt`]) files.delete(made);
  }
  if (names.length === 0) {
    for (const { name, css } of (await readStylesheets(api)).values()) files.set(`${stemOf(name)}.css`, css);
  }
  await pullFiles(context, path, { files, dryRun });
}

/** Writes files into a folder, and asks first if existing ones differ. */
export async function pullFiles(
  context: CommandContext,
  path: string,
  { files, dryRun }: { files: ReadonlyMap<string, string>; dryRun: boolean },
): Promise<void> {
  const { changes, overwrites } = await planPull(path, files);
  await applyChanges(context, changes, {
    doing: "Pulling",
    dryRun,
    question:
      overwrites === 0 ? undefined : () => `${overwrites} of the files in ${path} differ. Overwrite them?`,
  });
}
