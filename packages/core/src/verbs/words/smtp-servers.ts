// Printed by `npm run verbs`. Do not edit.
export const smtpServersWords = {
  "smtpServers.create":
    "Adds a mail server to the workspace, within the plan's `max_smtp_servers` (platform.md P5). Does not connect to it; `test` does.",
  "smtpServers.list":
    "Lists the workspace's own mail servers, by priority, then oldest first (platform.md P5).",
  "smtpServers.get": "Reads one of the workspace's own mail servers, with its state (platform.md P5).",
  "smtpServers.update":
    "Changes a mail server; connections with the former settings are closed, and a server that was down is tried again (platform.md P5).",
  "smtpServers.delete":
    "Removes a mail server; e-mails that wait for it use another one that accepts their sender (platform.md P5).",
  "smtpServers.test":
    "Tests a mail server step by step, and returns how far the test went, whether or not it succeeded; at most 10 times a minute per workspace. A server that was down and answers is used again at once (platform.md P5).",
};
