import { allPages, type RequestedPage } from "../../program/connection/all-pages.ts";
import type { Api } from "../../program/connection/api.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { shellWord } from "../../program/verbs/shell-word.ts";
import { getNewestVersion, type Template, type Version } from "../../template-folder/read-workspace.ts";

/** Values of the options that `addVersion` adds. */
export interface VersionChoice {
  newest?: boolean;
  versionNumber?: number;
}

/** Returns the chosen version of a template: the active one, the newest, or the one with a number. */
export async function pickVersion(
  api: Api,
  { template, newest = false, versionNumber }: VersionChoice & { template: Template },
): Promise<Version> {
  if (versionNumber === undefined && newest) return await getNewestVersion(api, template);
  return await api.request("GET /workspaces/current/templates/{templateId}/versions/{versionId}", {
    templateId: template.id,
    versionId:
      versionNumber === undefined
        ? template.active_version_id
        : await findVersionId(api, template, versionNumber),
  });
}

async function findVersionId({ request }: Api, { id, name }: Template, number: number): Promise<string> {
  const ask = (page: RequestedPage) =>
    request("GET /workspaces/current/templates/{templateId}/versions", { templateId: id, ...page });
  for await (const page of allPages(ask)) {
    const found = page.find((version) => version.version_number === number);
    if (found !== undefined) return found.id;
  }
  throw new CliError(
    "not_found",
    `"${name}" has no version ${number}.`,
    `Try: posthorn templates versions ${shellWord(name)}`,
  );
}

/** Parses a version number; `undefined` if none is given. Throws a usage error. */
export function versionNumberOf(text: string | undefined): { versionNumber?: number } {
  if (text === undefined) return {};
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new CliError(
      "usage",
      `"${text}" is no version's number.`,
      "Try: posthorn templates versions --help",
    );
  return { versionNumber: Number(text) };
}
