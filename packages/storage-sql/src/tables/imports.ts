import { bigint, table, text } from "./columns.ts";

export const importTables = {
  /** Imports of list files under way, so that one whose process dies has its event, too. */
  list_imports: table(
    {
      /** The workspace, the caller and an id. */
      name: text,
      workspace_id: bigint,
      /** The event about it without its count, as JSON. */
      event: text,
      count: bigint,
      added_at: bigint,
    },
    ["name"],
  ),
};
