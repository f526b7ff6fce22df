// Printed by `npm run verbs`. Do not edit.
export const smtpServersWords = {
  "smtpServers.create":
    "Adds a mail server of the workspace's own, within the plan's `max_smtp_servers` (platform.md P5). Nothing is connected to: see `test`.",
  "smtpServers.list":
    "The workspace's own mail servers, by priority, then the oldest first (platform.md P5).",
  "smtpServers.get": "One of the workspace's own mail servers, and how it does (platform.md P5).",
  "smtpServers.update":
    "Changes a mail server; connections made by former settings are ended, and one that was down is tried anew (platform.md P5).",
  "smtpServers.delete":
    "Removes a mail server; what waits for it goes through another that may carry it (platform.md P5).",
  "smtpServers.test":
    "Tries a mail server step by step, and answers how far that went, whatever comes of it; at most 10 a minute and workspace. One that was down and answers is used again at once (platform.md P5).",
};
