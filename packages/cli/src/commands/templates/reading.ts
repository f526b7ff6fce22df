import type { CommandContext } from "../../program/connection/command-context.ts";
import { findItem } from "../../program/verbs/find-listed.ts";
import { templates } from "../../program/verbs/listed-things.ts";
import { diffFiles } from "../../template-folder/apply-changes.ts";
import type { Version } from "../../template-folder/read-workspace.ts";
import { filesOf, fullTemplateOf } from "../../template-folder/template-files.ts";
import { showDiff } from "../../terminal/line-diff.ts";
import { pickVersion, versionNumberOf } from "./pick-version.ts";

interface InWorkspace {
  workspace?: string;
}

export async function diff(
  context: CommandContext,
  named: string,
  from: string | undefined,
  to: string | undefined,
  options: InWorkspace,
): Promise<void> {
  const api = await context.inWorkspace(options.workspace);
  const template = await findItem(templates, api, named);
  const before = await pickVersion(api, { template, ...versionNumberOf(from) });
  const after = await pickVersion(api, { template, newest: true, ...versionNumberOf(to) });
  const files = (version: Version): Map<string, string> =>
    filesOf(template.name, fullTemplateOf({ template, newest: version }));
  const diffs = diffFiles(files(before), files(after));
  if (context.output.jsonAsked) {
    return context.output.record(
      {},
      {
        template: template.name,
        from: before.version_number,
        to: after.version_number,
        diffs: diffs.map(({ file, lines }) => ({
          file,
          lines: lines.map(({ mark, text }) => `${mark}${text}`),
        })),
      },
    );
  }
  context.output.note(`From version ${before.version_number} to version ${after.version_number}:`);
  if (diffs.length === 0) context.output.note("The versions are the same.");
  for (const { file, lines } of diffs) context.output.data(showDiff(file, lines));
}
