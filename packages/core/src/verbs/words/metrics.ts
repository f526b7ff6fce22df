// Printed by `npm run verbs`. Do not edit.
export const metricsWords = {
  "metrics.get":
    "Reads the workspace's delivery figures by hour or day and by domain, from counts that are written with each outcome (platform.md P12).",
};
