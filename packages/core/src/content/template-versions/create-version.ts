import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { checkContent, contentFields, mergeContent } from "../templates/content-fields.ts";
import { findTemplateOrThrow } from "../templates/template-view.ts";
import { type VersionDetails, viewVersionDetails } from "./version-view.ts";

/** Creates a version with the next number. The active one stays active (service.md, Template versions). */
export const createVersion = useCase({
  access: "templates:write",
  refusals: ["rate_limited"],
  input: z
    .strictObject({ templateId: uuidField.describe("The template's id, a UUID."), ...contentFields })
    // Html or text.
    .meta({ minProperties: 1 }),
  async prepare(context, input) {
    mergeContent(input);
    // Checked before anything costly is done.
    await findTemplateOrThrow(context.storage, context.workspace.id, input.templateId);
    await checkContent(context, input);
  },
  async run({ storage, workspace, runtime, now, emit }, input): Promise<VersionDetails> {
    const { templateId, note = "", sampleData = {} } = input;
    const version = await storage.templates.insertVersion(workspace.id, templateId, {
      id: runtime.newId(),
      note,
      sampleData,
      contentId: await storage.contents.put(mergeContent(input)),
      createdAt: now,
    });
    if (version === undefined) throw new ServiceError("not_found", { message: "There is no such template." });
    emit("template_version.created", {
      metadata: { template_id: templateId, version_id: version.id, version_number: version.versionNumber },
    });
    return viewVersionDetails(version);
  },
});
