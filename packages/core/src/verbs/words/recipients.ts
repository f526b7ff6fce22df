// Printed by `npm run verbs`. Do not edit.
export const recipientsWords = {
  "recipients.export":
    "All that the workspace holds about a recipient (platform.md P12): a JSON object a line, each with what it is in `type`. It is read in pieces as it is taken, however much it is.",
  "recipients.erase":
    "Erases a recipient from the workspace (platform.md P12): a worker replaces the address, name, subjects, values and replies wherever they are, and takes back what waits for the person. Counts stay, and so do suppressions, under a hash. Asking again while it runs changes nothing.",
};
