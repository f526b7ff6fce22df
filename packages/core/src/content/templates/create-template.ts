import { orTaken } from "../../calls/or-taken.ts";
import { useCase } from "../../calls/use-case.ts";
import { checkContent, mergeContent } from "./content-fields.ts";
import { templateInput } from "./template-input.ts";
import { type TemplateView, viewTemplate } from "./template-view.ts";

/** Creates a template. Its content becomes its first version, which is active at once (service.md, Templates). */
export const createTemplate = useCase({
  access: "templates:write",
  refusals: ["rate_limited", "template_name_taken"],
  input: templateInput,
  async prepare(context, input) {
    mergeContent(input);
    await checkContent(context, input);
  },
  async run({ storage, workspace, runtime, now, emit }, input): Promise<TemplateView> {
    const { name, description, note = "", sampleData = {} } = input;
    const contentId = await storage.contents.put(mergeContent(input));
    const template = await orTaken(
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
      "template_name_taken",
    );
    emit("template.created", { metadata: { template_id: template.id, name } });
    return viewTemplate(template);
  },
});
