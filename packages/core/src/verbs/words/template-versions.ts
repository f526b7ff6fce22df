// Printed by `npm run verbs`. Do not edit.
export const templateVersionsWords = {
  "templateVersions.create":
    "Adds a version, numbered next; the active one stays active (service.md, Template versions).",
  "templateVersions.list": "A template's versions, newest first (service.md, Templates).",
  "templateVersions.get": "A version with its content (decisions §5).",
  "templateVersions.update":
    "Changes the given parts of a version; e-mails already accepted keep what was there (service.md, Templates; decisions §5).",
  "templateVersions.delete": "Deletes a version that is not the active one (service.md, Template versions).",
  "templateVersions.activate":
    "Activates a version: it is sent from now on, in place of the former (service.md, Template versions).",
  "templateVersions.preview":
    "A version as it would be sent, stylesheets inlined, with the names of placeholders that have no value. The version's sample data stand in where none are given. Throws `template_render_failed` past a limit (decisions §5).",
  "templateVersions.test":
    "Sends a version, active or not, to the given addresses: marked as a test, and counted against the quota (decisions §5).",
};
