// Printed by `npm run verbs`. Do not edit.
export const eventsWords = {
  "events.list":
    "Everything that happened on the platform, newest first (service.md, Audit logs and events).",
  "events.getPosition": "The event log's position: where to follow it from.",
};
