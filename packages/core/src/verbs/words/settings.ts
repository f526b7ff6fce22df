// Printed by `npm run verbs`. Do not edit.
export const settingsWords = {
  "settings.get": "Returns the workspace's settings, for any member (service.md, Workspace settings).",
  "settings.update":
    "Changes the given settings of the workspace and returns all of them (service.md, Workspace settings).",
};
