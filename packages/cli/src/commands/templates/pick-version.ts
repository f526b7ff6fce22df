import type { Api } from "../../program/connection/api.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import type { Template, Version } from "../../template-folder/read-workspace.ts";

/** Values of the options that `addVersion` adds. */
export interface VersionChoice {
  newest?: boolean;
  versionNumber?: number;
}

/** Returns the chosen version of a template: the active one, the newest, or the one with a number. */
export async function pickVersion(
  { request }: Api,
  { template, newest = false, versionNumber }: VersionChoice & { template: Template },
): Promise<Version> {
  const templateId = template.id;
  const versions = await request("GET /workspaces/current/templates/{templateId}/versions", { templateId });
  const wanted =
    versionNumber !== undefined
      ? versions.find((version) => version.version_number === versionNumber)
      : newest
        ? versions.reduce((one, other) => (other.version_number > one.version_number ? other : one))
        : versions.find(({ id }) => id === template.active_version_id);
  if (wanted === undefined) {
    throw new CliError(
      "not_found",
      `"${template.name}" has no version ${versionNumber ?? ""}.`,
      `Try: posthorn templates versions ${JSON.stringify(template.name)}`,
    );
  }
  return await request("GET /workspaces/current/templates/{templateId}/versions/{versionId}", {
    templateId,
    versionId: wanted.id,
  });
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
