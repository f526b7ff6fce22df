// Printed by `npm run verbs`. Do not edit.
export const templatesWords = {
  "templates.create":
    "Creates a template. Its content becomes its first version, which is active at once (service.md, Templates).",
  "templates.list": "Lists the workspace's templates, newest first (service.md, Templates).",
  "templates.get": "Returns a template with its active version's content (decisions §5).",
  "templates.update":
    "Changes a template's name, description or language. Its content belongs to the versions (service.md, Templates).",
  "templates.delete":
    "Deletes a template with its versions. E-mails already accepted are sent unchanged (service.md, Templates).",
};
