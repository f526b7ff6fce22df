// Printed by `npm run verbs`. Do not edit.
export const recipientsWords = {
  "recipients.export":
    "All of the workspace's data about a recipient (platform.md P12): one JSON object a line, each with its `type`. It is read in pieces as it is consumed, at any size.",
  "recipients.erase":
    "Erases a recipient from the workspace (platform.md P12): a worker replaces the address, name, subjects, values and replies wherever they are, and cancels the person's waiting e-mails. Counts stay, and so do suppressions, under a hash. Asking again while it runs changes nothing.",
};
