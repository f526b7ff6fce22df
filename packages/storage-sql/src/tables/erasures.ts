import { bigint, id, table, text } from "./columns.ts";

export const erasureTables = {
  erasures: table({
    id,
    uuid: text,
    workspace_id: bigint,
    address: text,
    address_key: text,
    /** What stands in place of the address. */
    erased_as: text,
    /** What is gone through just now, and how far. */
    stage: text,
    cursor_position: text,
    /** How much was replaced so far. */
    emails: bigint,
    campaigns: bigint,
    events: bigint,
    requested_at: bigint,
    /** When a worker may take it: ahead while one has it. */
    due_at: bigint,
  }),
};
