// Printed by `npm run verbs`. Do not edit.
export const stylesheetsWords = {
  "stylesheets.create":
    "Adds CSS that is inlined into the workspace's e-mails from now on (service.md, Stylesheets; decisions §5).",
  "stylesheets.list": "The workspace's stylesheets, newest first (service.md, Stylesheets).",
  "stylesheets.get": "One stylesheet (decisions §5).",
  "stylesheets.update":
    "Changes a stylesheet's name or CSS, and with it what is inlined from now on (service.md, Stylesheets).",
  "stylesheets.delete": "Deletes a stylesheet; it is inlined no more (service.md, Stylesheets).",
};
