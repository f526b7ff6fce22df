// Printed by `npm run verbs`. Do not edit.
export const templateVersionsWords = {
  "templateVersions.create":
    "Creates a version with the next number. The active one stays active (service.md, Template versions).",
  "templateVersions.list": "Lists a template's versions, newest first (service.md, Templates).",
  "templateVersions.get": "Returns a version with its content (decisions §5).",
  "templateVersions.update":
    "Changes the given parts of a version. E-mails already accepted keep the former content (service.md, Templates; decisions §5).",
  "templateVersions.delete": "Deletes a version other than the active one (service.md, Template versions).",
  "templateVersions.activate":
    "Activates a version, which is sent from then on in place of the former one (service.md, Template versions).",
  "templateVersions.preview":
    "Renders a version as it would be sent, with stylesheets inlined, and returns the names of placeholders that have no value. Default values: the version's sample data. Throws `template_render_failed` past a limit (decisions §5).",
  "templateVersions.test":
    "Sends a version, active or not, to the given addresses. The e-mail is marked as a test, and counts towards the quota (decisions §5).",
};
