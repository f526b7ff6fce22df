import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { findTemplateOrThrow } from "./template-view.ts";

/** Deletes a template with its versions. E-mails already accepted are sent unchanged (service.md, Templates). */
export const deleteTemplate = useCase({
  access: "templates:write",
  input: z.strictObject({ templateId: uuidField.describe("The template's id, a UUID.") }),
  async run({ storage, workspace, emit }, { templateId }): Promise<void> {
    const { name } = await findTemplateOrThrow(storage, workspace.id, templateId);
    if (!(await storage.templates.delete(workspace.id, templateId))) throw new ServiceError("not_found");
    emit("template.deleted", { metadata: { template_id: templateId, name } });
  },
});
