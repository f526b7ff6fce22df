// Printed by `npm run verbs`. Do not edit.
export const stylesheetsWords = {
  "stylesheets.create":
    "Creates a stylesheet, which is inlined into the workspace's e-mails from then on (service.md, Stylesheets; decisions §5).",
  "stylesheets.list": "Lists the workspace's stylesheets, newest first (service.md, Stylesheets).",
  "stylesheets.get": "Returns one stylesheet (decisions §5).",
  "stylesheets.update":
    "Changes a stylesheet's name or CSS. Later e-mails use the new one (service.md, Stylesheets).",
  "stylesheets.delete": "Deletes a stylesheet, which is no longer inlined (service.md, Stylesheets).",
};
