// Printed by `npm run verbs`. Do not edit.
export const stylesheetsWords = {
  "stylesheets.create":
    "Adds CSS that is inlined into the workspace's e-mails from now on (service.md, Stylesheets; decisions §5).",
  "stylesheets.list": "The workspace's stylesheets, newest first (service.md, Stylesheets).",
  "stylesheets.get": "One stylesheet (decisions §5).",
  "stylesheets.update":
    "Changes a stylesheet's name or CSS; later e-mails inline the new one (service.md, Stylesheets).",
  "stylesheets.delete": "Deletes a stylesheet; it is no longer inlined (service.md, Stylesheets).",
};
