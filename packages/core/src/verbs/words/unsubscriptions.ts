// Printed by `npm run verbs`. Do not edit.
export const unsubscriptionsWords = {
  "unsubscriptions.get":
    "Returns the address and list of an unsubscribe link. Changes nothing, as mail scanners open links (platform.md P10).",
  "unsubscriptions.create":
    "Unsubscribes the link's recipient from the link's list only. Repeating it changes nothing (platform.md P10, RFC 8058). Throws `not_found` for a link that this service did not issue.",
  "unsubscriptions.undo":
    "Undoes an unsubscription within ten minutes; later it changes nothing (platform.md P10). A temporary suppression that it replaced stands again. Throws `not_found` for a link that this service did not issue.",
};
