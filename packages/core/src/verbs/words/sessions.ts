// Printed by `npm run verbs`. Do not edit.
export const sessionsWords = {
  "sessions.list":
    "Lists the caller's unexpired sessions, newest first, including revoked ones (service.md, Sessions).",
  "sessions.revoke":
    "Revokes one of the caller's sessions. Its token is refused from the next request on (service.md, Sessions).",
  "sessions.revokeOthers":
    "Revokes all of the caller's sessions except the current one (service.md, Sessions).",
  "sessions.logout": "Ends the current session (service.md, Sessions).",
};
