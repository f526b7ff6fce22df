// Printed by `npm run verbs`. Do not edit.
export const eventsWords = {
  "events.list":
    "Everything that happened on the platform, newest first (service.md, Audit logs and events).",
  "events.getPosition": "How far the log of events goes: where to follow it from.",
};
