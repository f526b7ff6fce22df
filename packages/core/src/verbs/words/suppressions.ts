// Printed by `npm run verbs`. Do not edit.
export const suppressionsWords = {
  "suppressions.list": "The workspace's suppressions, newest first, without expired ones (platform.md P8).",
  "suppressions.get": "One suppression of an address or a domain, by its scope (platform.md P8).",
  "suppressions.create":
    "Suppresses an address, or a whole domain (platform.md P8). An existing suppression is returned as it is, unless it would end earlier: then it is extended to this one's end.",
  "suppressions.delete":
    "Removes a suppression (platform.md P8). One that a complaint caused needs the permission `suppressions:release`.",
  "suppressions.check":
    "Checks which of up to 1,000 addresses are suppressed, as a send would find them (platform.md P8).",
  "suppressions.import":
    "Suppresses the addresses of a file (platform.md P8), a thousand at a time: those stored stay, even if a later line can't be read, and a file can be imported again. Recognises exports of Amazon SES, SendGrid, Postmark and Mailgun.",
  "suppressions.export":
    "All suppressions, ready to import again (platform.md P8). They are read in pieces as they are consumed; those added meanwhile may be included or not. In CSV a reason that a spreadsheet would take for a formula is preceded by an apostrophe, an address never.",
};
