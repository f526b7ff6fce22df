import type { Posthorn } from "@posthorn/core";
import { CliError } from "../../program/cli-error.ts";
import type { Template } from "../../program/find-named.ts";
import { operatorCall } from "../../program/operator-call.ts";

/** What the options of `addVersion` read. */
export interface VersionChoice {
  newest?: boolean;
  versionNumber?: number;
}

/** The chosen version of a template: the active one, the newest, or that of a number. */
export async function pickVersion(
  posthorn: Posthorn,
  workspaceId: number,
  { template, newest = false, versionNumber }: VersionChoice & { template: Template },
) {
  const versions = await posthorn.templateVersions.list(
    { templateId: template.id },
    operatorCall(workspaceId),
  );
  const wanted =
    versionNumber !== undefined
      ? versions.find((version) => version.versionNumber === versionNumber)
      : newest
        ? versions.reduce((one, other) => (other.versionNumber > one.versionNumber ? other : one))
        : versions.find(({ id }) => id === template.activeVersionId);
  if (wanted === undefined) {
    throw new CliError(
      "not_found",
      `"${template.name}" has no version ${versionNumber ?? ""}.`,
      `Try: posthorn templates versions ${JSON.stringify(template.name)} --workspace ${workspaceId}`,
    );
  }
  return await posthorn.templateVersions.get(
    { templateId: template.id, versionId: wanted.id },
    operatorCall(workspaceId),
  );
}
