// Printed by `npm run verbs`. Do not edit.
export const retentionWords = {
  "retention.run":
    "Removes expired data now instead of within the hour (platform.md P12), in short pieces that each have a transaction. Inside a transaction of the host's, all of it is part of that, however long it takes. A dry run lists what would be removed, by table and retention period, and removes nothing.",
};
