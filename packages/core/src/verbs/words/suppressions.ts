// Printed by `npm run verbs`. Do not edit.
export const suppressionsWords = {
  "suppressions.list":
    "Lists the workspace's suppressions, newest first, without expired ones (platform.md P8).",
  "suppressions.get": "Returns one suppression of an address or a domain, by its scope (platform.md P8).",
  "suppressions.create":
    "Suppresses an address or a whole domain (platform.md P8). An existing suppression is returned unchanged, unless it would expire earlier: then its end is extended to this one's.",
  "suppressions.delete":
    "Deletes a suppression (platform.md P8). If a complaint caused it, the permission `suppressions:release` is needed.",
  "suppressions.check":
    "Checks which of up to 1,000 addresses are suppressed, by the rules that apply to sending (platform.md P8).",
  "suppressions.import":
    "Suppresses the addresses of a file (platform.md P8), a thousand per transaction: those stored stay even if a later line can't be read, and importing a file twice is safe. One event tells of all that was stored. Recognises exports of Amazon SES, SendGrid, Postmark and Mailgun.",
  "suppressions.export":
    "Exports all suppressions in a form that can be imported again (platform.md P8). They are read in pieces while they are consumed, so that suppressions added in the meantime may be included or not. In CSV, a reason that a spreadsheet would take for a formula is preceded by an apostrophe; an address never is.",
};
