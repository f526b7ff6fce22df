// Printed by `npm run verbs`. Do not edit.
export const unsubscriptionsWords = {
  "unsubscriptions.get":
    "Shows the address and list of an unsubscribe link, and changes nothing: mail scanners open links (platform.md P10).",
  "unsubscriptions.create":
    "Unsubscribes by the link of an e-mail, only from its list; repeating it changes nothing (platform.md P10, RFC 8058). Throws `not_found` for a link that is not ours.",
  "unsubscriptions.undo":
    "Undoes an unsubscription, for ten minutes; later it changes nothing (platform.md P10). Throws `not_found` for a link that is not ours.",
};
