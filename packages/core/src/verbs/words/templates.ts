// Printed by `npm run verbs`. Do not edit.
export const templatesWords = {
  "templates.create":
    "Makes a template, whose content becomes its first version, active at once (service.md, Templates).",
  "templates.list": "The workspace's templates, newest first (service.md, Templates).",
  "templates.get": "A template with what its active version says (decisions §5).",
  "templates.update":
    "Changes a template's name, description or language; its content is the versions' affair (service.md, Templates).",
  "templates.delete":
    "Deletes a template with its versions; e-mails already accepted are sent as they were (service.md, Templates).",
};
