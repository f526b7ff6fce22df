import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { changesOf } from "../../calls/changes-of.ts";
import { atLeastOne } from "../../calls/input/at-least-one.ts";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import type { NewContent, TemplateVersion } from "../../ports/storage.ts";
import { snakeCase } from "../../rules/snake-case.ts";
import { checkContent, contentFields, mergeContent } from "../templates/content-fields.ts";
import { findVersionOrThrow, type VersionDetails, viewVersionDetails } from "./version-view.ts";

/**
 * Changes the given parts of a version. E-mails already accepted keep the former content (service.md, Templates;
 * decisions §5).
 */
export const updateVersion = useCase({
  access: "templates:write",
  refusals: ["rate_limited"],
  // The lock makes concurrent changes to different parts both last.
  locksWorkspace: true,
  input: z
    .strictObject({
      templateId: uuidField.describe("The template's id, a UUID."),
      versionId: uuidField.describe("The version's id, a UUID."),
      ...contentFields,
    })
    .apply(atLeastOne, "templateId", "versionId"),
  async prepare(context, input) {
    // Checked before anything costly is done.
    await findVersionOrThrow(context.storage, context.workspace.id, input);
    await checkContent(context, input);
  },
  async run({ storage, workspace, now, emit }, input): Promise<VersionDetails> {
    const before = await findVersionOrThrow(storage, workspace.id, input);
    const { templateId, versionId, note, sampleData, ...given } = input;
    const fields = changedFields(before, input);
    if (fields.length === 0) return viewVersionDetails(before);
    const contentId = await storage.contents.put(mergeContent(given, before.content));
    const updated = await storage.templates.updateVersion(workspace.id, templateId, versionId, {
      contentId,
      ...(note === undefined ? {} : { note }),
      ...(sampleData === undefined ? {} : { sampleData }),
      updatedAt: now,
    });
    if (updated === undefined) throw new ServiceError("not_found");
    const changes = changesOf(before, { note: updated.note });
    emit("template_version.updated", {
      metadata: { template_id: templateId, version_id: versionId, fields, changes },
    });
    return viewVersionDetails(updated);
  },
});

type Parts = NewContent & Pick<TemplateVersion, "note" | "sampleData">;

/** Returns the API's names of the parts that differ from the stored version. */
function changedFields(
  { content, note, sampleData }: TemplateVersion,
  given: { [K in keyof Parts]?: Parts[K] | undefined },
): string[] {
  const before = { ...content, note, sampleData };
  return (["subject", "html", "text", "note", "sampleData"] as const)
    .filter((key) => given[key] !== undefined && !isDeepStrictEqual(given[key], before[key]))
    .map(snakeCase);
}
