import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { findTemplateOrThrow, type TemplateDetails, viewTemplateDetails } from "./template-view.ts";

/** Returns a template with its active version's content (decisions §5). */
export const getTemplate = useCase({
  access: "templates:read",
  reads: true,
  input: z.strictObject({ templateId: uuidField.describe("The template's id, a UUID.") }),
  async run({ storage, workspace }, { templateId }): Promise<TemplateDetails> {
    const template = await findTemplateOrThrow(storage, workspace.id, templateId);
    const active = await storage.templates.findVersion(workspace.id, templateId, template.activeVersionId);
    if (active === undefined) throw new ServiceError("not_found");
    return viewTemplateDetails(template, active);
  },
});
