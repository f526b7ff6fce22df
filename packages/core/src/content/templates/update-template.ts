import { z } from "zod";
import { changesOf } from "../../calls/changes-of.ts";
import { atLeastOne } from "../../calls/input/at-least-one.ts";
import { nameField } from "../../calls/input/name-field.ts";
import { languagePattern } from "../../calls/input/text-patterns.ts";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { orTaken } from "../../calls/or-taken.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { isLanguageTag } from "../../rules/language-tags.ts";
import { descriptionField } from "./template-input.ts";
import { findTemplateOrThrow, type TemplateView, viewTemplate } from "./template-view.ts";

/** Changes a template's name, description or language. Its content belongs to the versions (service.md, Templates). */
export const updateTemplate = useCase({
  access: "templates:write",
  refusals: ["template_name_taken"],
  // The lock makes concurrent changes to different fields both last.
  locksWorkspace: true,
  input: z
    .strictObject({
      templateId: uuidField.describe("The template's id, a UUID."),
      name: nameField
        .optional()
        .describe(
          "The template's name, by which requests refer to it. Unique in the workspace; 1 to 100 characters on one line.",
        ),
      description: descriptionField.optional().describe("The template's purpose, at most 1,000 characters."),
      defaultLanguage: z
        .string()
        .refine(isLanguageTag, 'is not a BCP 47 language tag such as "en" or "pt-BR"')
        .meta({ pattern: languagePattern, maxLength: 64 })
        .optional()
        .describe("BCP 47 tag of the template's language, such as en or pt-BR. New templates have en."),
    })
    .apply(atLeastOne, "templateId"),
  async run({ storage, workspace, now, emit }, { templateId, ...given }): Promise<TemplateView> {
    const before = await findTemplateOrThrow(storage, workspace.id, templateId);
    const {
      name = before.name,
      description = before.description,
      defaultLanguage = before.defaultLanguage,
    } = given;
    const fields = { name, description, defaultLanguage };
    const changes = changesOf<typeof fields>(before, fields);
    if (Object.keys(changes).length === 0) return viewTemplate(before);
    const updated = await orTaken(
      storage.templates.update(workspace.id, templateId, { ...fields, updatedAt: now }),
      "template_name_taken",
    );
    if (updated === undefined) throw new ServiceError("not_found");
    emit("template.updated", { metadata: { template_id: templateId, changes } });
    return viewTemplate(updated);
  },
});
