import { z } from "zod";
import { nameField } from "../../calls/name-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { checkContent, contentFields, mergeContent } from "./content-fields.ts";
import { descriptionField } from "./template-fields.ts";
import { orNameTaken, type TemplateView, viewTemplate } from "./template-view.ts";

/** Creates a template. Its content becomes its first version, which is active at once (service.md, Templates). */
export const createTemplate = useCase({
  access: "templates:write",
  refusals: ["rate_limited", "template_name_taken"],
  input: z.strictObject({
    name: nameField.describe(
      "The template's name, by which requests refer to it. Unique in the workspace; 1 to 100 characters on one line.",
    ),
    description: descriptionField.default("").describe("The template's purpose, at most 1,000 characters."),
    ...contentFields,
  }),
  async prepare(context, input) {
    mergeContent(input);
    await checkContent(context, input);
  },
  async run({ storage, workspace, runtime, now, emit }, input): Promise<TemplateView> {
    const { name, description, note = "", sampleData = {} } = input;
    const contentId = await storage.contents.put(mergeContent(input));
    const template = await orNameTaken(
      storage.templates.insert(
        {
          id: runtime.newId(),
          workspaceId: workspace.id,
          name,
          description,
          defaultLanguage: "en",
          createdAt: now,
        },
        { id: runtime.newId(), note, sampleData, contentId, createdAt: now },
      ),
    );
    emit("template.created", { metadata: { template_id: template.id, name } });
    return viewTemplate(template);
  },
});
