// Printed by `npm run verbs`. Do not edit.
export const suppressionsWords = {
  "suppressions.list":
    "Whom nothing is sent to, the latest first; those that have expired are left out (platform.md P8).",
  "suppressions.get": "One suppression of an address or a domain, by its scope (platform.md P8).",
  "suppressions.create":
    "Sends nothing more to an address, or to a whole domain (platform.md P8). One that stands already is answered as it is, unless it would end earlier: then it lasts as long as this one.",
  "suppressions.delete":
    "Lets mail through again (platform.md P8). What a complaint led to takes the permission `suppressions:release`.",
  "suppressions.check":
    "Tells which of up to 1,000 addresses are suppressed, as a send would find it (platform.md P8).",
  "suppressions.import":
    "Suppresses the addresses of a file (platform.md P8), a thousand at a time: what was kept stays, also where a later line can't be read, and a file may be imported again. Recognises what Amazon SES, SendGrid, Postmark and Mailgun hand out.",
  "suppressions.export":
    "The whole list, as it can be imported again (platform.md P8). It is read in pieces as it is taken; what comes in meanwhile is in it, or not. In CSV a reason that a spreadsheet would take for a formula is preceded by an apostrophe, and an address never is.",
};
