import { templateDetailsWire, templateWire, versionWire } from "@posthorn/http/wire";
import { CliError } from "../../program/cli-error.ts";
import type { CommandContext } from "../../program/command-context.ts";
import { findTemplate, findWorkspace, listTemplates } from "../../program/find-named.ts";
import { operatorCall } from "../../program/operator-call.ts";
import { diffFiles } from "../../template-folder/apply-changes.ts";
import { filesOf } from "../../template-folder/template-files.ts";
import { showDiff } from "../../terminal/line-diff.ts";
import { readable } from "../../terminal/tell.ts";
import { pickVersion } from "./pick-version.ts";

interface InWorkspace {
  workspace: string;
}

export async function list(context: CommandContext, options: InWorkspace): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, options.workspace);
  context.output.list(
    await listTemplates(posthorn, workspace.id),
    [
      { title: "NAME", cell: ({ name }) => name },
      { title: "LANGUAGE", cell: ({ defaultLanguage }) => defaultLanguage },
      { title: "CHANGED", cell: ({ updatedAt }) => readable(updatedAt) },
      { title: "DESCRIPTION", cell: ({ description }) => description },
      { title: "ID", cell: ({ id }) => id },
    ],
    templateWire.from,
  );
}

export async function show(context: CommandContext, named: string, options: InWorkspace): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, options.workspace);
  const { id: templateId } = await findTemplate(posthorn, workspace.id, named);
  const template = await posthorn.templates.get({ templateId }, operatorCall(workspace.id));
  context.output.record(
    {
      id: template.id,
      name: template.name,
      description: template.description,
      language: template.defaultLanguage,
      "active version": `${template.versionNumber} (${template.activeVersionId})`,
      subject: template.subject,
      html: `${template.html.length} characters`,
      text: `${template.text.length} characters`,
      "sample data": template.sampleData,
      changed: readable(template.updatedAt),
    },
    templateDetailsWire.from(template),
  );
}

export async function versions(context: CommandContext, named: string, options: InWorkspace): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, options.workspace);
  const { id: templateId } = await findTemplate(posthorn, workspace.id, named);
  context.output.list(
    await posthorn.templateVersions.list({ templateId }, operatorCall(workspace.id)),
    [
      { title: "NUMBER", cell: ({ versionNumber }) => versionNumber, align: "right" },
      { title: "ACTIVE", cell: ({ isActive }) => (isActive ? "yes" : "no") },
      { title: "SUBJECT", cell: ({ subject }) => subject },
      { title: "NOTE", cell: ({ note }) => note },
      { title: "CREATED", cell: ({ createdAt }) => readable(createdAt) },
      { title: "ID", cell: ({ id }) => id },
    ],
    versionWire.from,
  );
}

export async function diff(
  context: CommandContext,
  named: string,
  from: string | undefined,
  to: string | undefined,
  options: InWorkspace,
): Promise<void> {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, options.workspace);
  const template = await findTemplate(posthorn, workspace.id, named);
  const before = await pickVersion(posthorn, workspace.id, { template, ...numbered(from) });
  const after = await pickVersion(posthorn, workspace.id, { template, newest: true, ...numbered(to) });
  const files = (version: typeof before): Map<string, string> =>
    filesOf(template.name, {
      ...version,
      description: template.description,
      defaultLanguage: template.defaultLanguage,
    });
  const diffs = diffFiles(files(before), files(after));
  if (context.output.jsonAsked) {
    return context.output.record(
      {},
      {
        template: template.name,
        from: before.versionNumber,
        to: after.versionNumber,
        diffs: diffs.map(({ file, lines }) => ({
          file,
          lines: lines.map(({ mark, text }) => `${mark}${text}`),
        })),
      },
    );
  }
  context.output.note(`From version ${before.versionNumber} to version ${after.versionNumber}:`);
  if (diffs.length === 0) context.output.note("They say the same.");
  for (const { file, lines } of diffs) context.output.data(showDiff(file, lines));
}

function numbered(text: string | undefined): { versionNumber?: number } {
  if (text === undefined) return {};
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new CliError(
      "usage",
      `"${text}" is no version's number.`,
      "Try: posthorn templates versions --help",
    );
  return { versionNumber: Number(text) };
}
