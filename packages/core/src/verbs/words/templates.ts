// Printed by `npm run verbs`. Do not edit.
export const templatesWords = {
  "templates.create":
    "Creates a template, whose content becomes its first version, active at once (service.md, Templates).",
  "templates.list": "The workspace's templates, newest first (service.md, Templates).",
  "templates.get": "A template with its active version's content (decisions §5).",
  "templates.update":
    "Changes a template's name, description or language; its content belongs to the versions (service.md, Templates).",
  "templates.delete":
    "Deletes a template with its versions; e-mails already accepted are sent as they were (service.md, Templates).",
};
