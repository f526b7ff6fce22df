import type { CommandContext } from "../../program/connection/command-context.ts";
import { defined } from "../../program/verbs/defined.ts";
import { findItem } from "../../program/verbs/find-listed.ts";
import { templates } from "../../program/verbs/listed-things.ts";
import { type Waiting, waitForEmail } from "../../service/wait-for-email.ts";
import { readData, readTextFile } from "../../terminal/read-input.ts";
import { reportDone } from "../../terminal/report-done.ts";
import { reportSettled } from "../../terminal/report-settled.ts";
import { shownText } from "../../terminal/safe-text.ts";
import { pickVersion, type VersionChoice, versionNumberOf } from "./pick-version.ts";

interface OfVersion extends VersionChoice {
  workspace?: string;
  data?: string;
}

async function findVersion(context: CommandContext, named: string, options: OfVersion) {
  const api = await context.inWorkspace(options.workspace);
  const template = await findItem(templates, api, named);
  const version = await pickVersion(api, { ...options, template });
  const data = options.data === undefined ? {} : { template_data: await readData(options.data) };
  return { api, template, version, data, ids: { templateId: template.id, versionId: version.id } };
}

export async function preview(
  context: CommandContext,
  named: string,
  options: OfVersion & { part?: "html" | "text" | "subject" },
): Promise<void> {
  const { api, ids, data } = await findVersion(context, named, options);
  const shown = await api.request(
    "POST /workspaces/current/templates/{templateId}/versions/{versionId}/preview",
    { ...ids, ...data },
  );
  if (shown.missing.length > 0)
    context.output.warn(
      `Placeholders without a value: ${shown.missing.join(", ")}. Sending would be refused.`,
    );
  if (context.output.jsonAsked) return context.output.record({}, shown);
  context.output.data(shownText(shown[options.part ?? (shown.html === "" ? "text" : "html")]));
}

export async function test(
  context: CommandContext,
  named: string,
  { to, wait = false, waitSeconds, ...options }: OfVersion & Waiting & { to: string[] },
): Promise<void> {
  const { api, ids, template, version, data } = await findVersion(context, named, options);
  const email = await api.request(
    "POST /workspaces/current/templates/{templateId}/versions/{versionId}/test",
    { ...ids, to, ...data },
  );
  const words = `Version ${version.version_number} of "${template.name}" is queued for ${to.join(", ")} as ${email.id}.`;
  if (!wait) return reportDone(context, words, email);
  context.output.done(words);
  reportSettled(context, await waitForEmail(context, api, { emailId: email.id, seconds: waitSeconds }));
}

export async function activate(
  context: CommandContext,
  named: string,
  number: string | undefined,
  { workspace }: { workspace?: string },
): Promise<void> {
  const choice = number === undefined ? { newest: true } : versionNumberOf(number);
  const { api, ids, template, version } = await findVersion(context, named, {
    ...defined({ workspace }),
    ...choice,
  });
  const activated = await api.request(
    "POST /workspaces/current/templates/{templateId}/activate/{versionId}",
    ids,
  );
  reportDone(context, `Version ${version.version_number} of "${template.name}" is now active.`, activated);
}

interface Changes {
  workspace?: string;
  subject?: string;
  htmlFile?: string;
  textFile?: string;
  sampleData?: string;
  note?: string;
}

/** Changes the given fields of a version in place. */
export async function updateVersion(
  context: CommandContext,
  named: string,
  number: string,
  { workspace, subject, htmlFile, textFile, sampleData, note }: Changes,
): Promise<void> {
  const { api, ids, template, version } = await findVersion(context, named, {
    ...defined({ workspace }),
    ...versionNumberOf(number),
  });
  const changes = defined({
    subject,
    note,
    html: htmlFile === undefined ? undefined : await readTextFile(htmlFile),
    text: textFile === undefined ? undefined : await readTextFile(textFile),
    sample_data: sampleData === undefined ? undefined : await readData(sampleData),
  });
  if (version.is_active)
    await context.confirm(`Version ${version.version_number} of "${template.name}" is active. Change it?`);
  const changed = await api.request("PUT /workspaces/current/templates/{templateId}/versions/{versionId}", {
    ...ids,
    ...changes,
  });
  reportDone(context, `Version ${changed.version_number} of "${template.name}" is changed.`, changed);
}

export async function deleteVersion(
  context: CommandContext,
  named: string,
  number: string,
  { workspace }: { workspace?: string },
): Promise<void> {
  const { api, ids, template, version } = await findVersion(context, named, {
    ...defined({ workspace }),
    ...versionNumberOf(number),
  });
  await context.confirm(`Delete version ${version.version_number} of "${template.name}"?`);
  await api.request("DELETE /workspaces/current/templates/{templateId}/versions/{versionId}", ids);
  context.output.done(`Version ${version.version_number} of "${template.name}" is deleted.`);
}
