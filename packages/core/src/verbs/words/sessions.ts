// Printed by `npm run verbs`. Do not edit.
export const sessionsWords = {
  "sessions.list":
    "The caller's unexpired sessions, newest first, revoked ones included (service.md, Sessions).",
  "sessions.revoke":
    "Revokes one of the caller's sessions; its token is refused from the next request on (service.md, Sessions).",
  "sessions.revokeOthers": "Revokes all of the caller's sessions but the current one (service.md, Sessions).",
  "sessions.logout": "Ends the current session (service.md, Sessions).",
};
