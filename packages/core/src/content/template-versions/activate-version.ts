import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { findTemplateOrThrow, type TemplateView, viewTemplate } from "../templates/template-view.ts";

/** Activates a version, which is sent from then on in place of the former one (service.md, Template versions). */
export const activateVersion = useCase({
  access: "templates:write",
  // The lock makes the event name the version that was active before.
  locksWorkspace: true,
  input: z.strictObject({
    templateId: uuidField.describe("The template's id, a UUID."),
    versionId: uuidField.describe("The version's id, a UUID."),
  }),
  async run({ storage, workspace, now, emit }, { templateId, versionId }): Promise<TemplateView> {
    const before = await findTemplateOrThrow(storage, workspace.id, templateId);
    if (before.activeVersionId === versionId) return viewTemplate(before);
    const template = await storage.templates.activateVersion(workspace.id, templateId, versionId, now);
    if (template === undefined)
      throw new ServiceError("not_found", { message: "There is no such template version." });
    emit("template_version.activated", {
      metadata: { template_id: templateId, from: before.activeVersionId, to: versionId },
    });
    return viewTemplate(template);
  },
});
