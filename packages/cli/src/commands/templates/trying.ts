import { emailDetailsWire, emailWire, previewWire, templateWire } from "@posthorn/http/wire";
import { CliError } from "../../program/cli-error.ts";
import type { CommandContext } from "../../program/command-context.ts";
import { findTemplate, findWorkspace } from "../../program/find-named.ts";
import { operatorCall } from "../../program/operator-call.ts";
import { type Waiting, waitForEmail } from "../../service/wait-for-email.ts";
import { readData } from "../../terminal/read-input.ts";
import { tellDone } from "../../terminal/tell.ts";
import { tellSettled } from "../../terminal/tell-settled.ts";
import { pickVersion, type VersionChoice } from "./pick-version.ts";

interface OfVersion extends VersionChoice {
  workspace: string;
  data?: string;
}

async function findVersion(context: CommandContext, named: string, options: OfVersion) {
  const posthorn = await context.posthorn();
  const workspace = await findWorkspace(posthorn, options.workspace);
  const template = await findTemplate(posthorn, workspace.id, named);
  const version = await pickVersion(posthorn, workspace.id, { ...options, template });
  const data = options.data === undefined ? {} : { templateData: await readData(options.data) };
  return { posthorn, workspace, template, version, data };
}

const formats = ["html", "text", "subject"] as const;

export async function preview(
  context: CommandContext,
  named: string,
  options: OfVersion & { format?: string },
): Promise<void> {
  const format = formats.find((one) => one === options.format);
  if (options.format !== undefined && format === undefined)
    throw new CliError(
      "usage",
      `--format must be one of: ${formats.join(", ")}.`,
      "Or take all with --json.",
    );
  const { posthorn, workspace, template, version, data } = await findVersion(context, named, options);
  const shown = await posthorn.templateVersions.preview(
    { templateId: template.id, versionId: version.id, ...data },
    operatorCall(workspace.id),
  );
  if (shown.missing.length > 0)
    context.output.warn(
      `Placeholders without a value: ${shown.missing.join(", ")}. Sending would be refused.`,
    );
  if (context.output.jsonAsked) return context.output.record({}, previewWire.from(shown));
  context.output.data(shown[format ?? (shown.html === "" ? "text" : "html")]);
}

export async function test(
  context: CommandContext,
  named: string,
  { to, wait = false, waitSeconds, ...options }: OfVersion & Waiting & { to: string[] },
): Promise<void> {
  const { posthorn, workspace, template, version, data } = await findVersion(context, named, options);
  const email = await posthorn.templateVersions.test(
    { templateId: template.id, versionId: version.id, to, ...data },
    operatorCall(workspace.id),
  );
  if (!wait) {
    const words = `Version ${version.versionNumber} of "${template.name}" is queued for ${to.join(", ")} as ${email.id}.`;
    return tellDone(context, words, emailWire.from(email));
  }
  const settled = await waitForEmail(context, workspace.id, { emailId: email.id, seconds: waitSeconds });
  tellSettled(context, settled, emailDetailsWire.from(settled));
}

export async function activate(
  context: CommandContext,
  named: string,
  number: string | undefined,
  { workspace: place }: { workspace: string },
): Promise<void> {
  if (number !== undefined && !/^[1-9]\d{0,8}$/.test(number))
    throw new CliError(
      "usage",
      `"${number}" is no version's number.`,
      "Try: posthorn templates versions --help",
    );
  const choice = number === undefined ? { newest: true } : { versionNumber: Number(number) };
  const { posthorn, workspace, template, version } = await findVersion(context, named, {
    workspace: place,
    ...choice,
  });
  const activated = await posthorn.templateVersions.activate(
    { templateId: template.id, versionId: version.id },
    operatorCall(workspace.id),
  );
  tellDone(
    context,
    `Version ${version.versionNumber} of "${template.name}" is what is sent from now on.`,
    templateWire.from(activated),
  );
}
