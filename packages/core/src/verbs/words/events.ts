// Printed by `npm run verbs`. Do not edit.
export const eventsWords = {
  "events.list": "Lists all events of the platform, newest first (service.md, Audit logs and events).",
  "events.getPosition": "Returns the position of the event log, as a start for followers.",
};
