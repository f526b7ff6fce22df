import { createTemplate } from "./create-template.ts";
import { deleteTemplate } from "./delete-template.ts";
import { getTemplate } from "./get-template.ts";
import { listTemplates } from "./list-templates.ts";
import { updateTemplate } from "./update-template.ts";

/** Templates of e-mails. */
export const templates = {
  create: createTemplate,
  list: listTemplates,
  get: getTemplate,
  update: updateTemplate,
  delete: deleteTemplate,
} as const;
