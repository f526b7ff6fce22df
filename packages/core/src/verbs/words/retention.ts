// Printed by `npm run verbs`. Do not edit.
export const retentionWords = {
  "retention.run":
    "Removes what is kept no longer, at once instead of within the hour (platform.md P12), in short pieces that each have a transaction. Inside a transaction of the host's all is part of that, however long it takes. A dry run tells what would be removed, by table and clock, and removes nothing.",
};
