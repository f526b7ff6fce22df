// Printed by `npm run verbs`. Do not edit.
export const recipientsWords = {
  "recipients.export":
    "Exports all of the workspace's data about a recipient (platform.md P12) as NDJSON: one JSON object per line, each with its `type`. It is read in pieces while it is consumed, so that any size is possible.",
  "recipients.erase":
    "Erases a recipient from the workspace (platform.md P12): a worker replaces the address, name, subjects, values and replies wherever they are stored, and cancels the recipient's waiting e-mails. Counts stay, and so do suppressions, under a hash. Repeating the call while the erasure runs changes nothing.",
};
