import { bigint, id, table, text } from "./columns.ts";

export const erasureTables = {
  erasures: table({
    id,
    uuid: text,
    workspace_id: bigint,
    address: text,
    address_key: text,
    /** The text that replaces the address. */
    erased_as: text,
    /** The table being processed, and how far. */
    stage: text,
    cursor_position: text,
    /** Replacements made so far. */
    emails: bigint,
    campaigns: bigint,
    events: bigint,
    requested_at: bigint,
    /** When a worker may take it; in the future while one has it. */
    due_at: bigint,
  }),
};
