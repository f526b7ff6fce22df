import type { Id } from "./columns.ts";

export interface ErasuresTable {
  id: Id;
  uuid: string;
  workspace_id: number;
  address: string;
  address_key: string;
  /** What stands in place of the address. */
  erased_as: string;
  /** What is gone through just now, and how far. */
  stage: string;
  cursor_position: string;
  /** How much was replaced so far. */
  emails: number;
  campaigns: number;
  events: number;
  requested_at: number;
  /** When a worker may take it: ahead while one has it. */
  due_at: number;
}

export interface ErasureTables {
  erasures: ErasuresTable;
}
