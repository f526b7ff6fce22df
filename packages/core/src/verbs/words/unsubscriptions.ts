// Printed by `npm run verbs`. Do not edit.
export const unsubscriptionsWords = {
  "unsubscriptions.get":
    "Tells what a link to unsubscribe is for, and changes nothing: scanners of mail open links (platform.md P10).",
  "unsubscriptions.create":
    "Unsubscribes by the link of an e-mail, from its list alone; once, however often it is asked for (platform.md P10, RFC 8058). Throws `not_found` for a link that is not ours.",
  "unsubscriptions.undo":
    "Takes back what a link just did, for ten minutes; later it changes nothing (platform.md P10). Throws `not_found` for a link that is not ours.",
};
