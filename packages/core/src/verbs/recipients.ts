// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.

import type { FileView } from "../mail/emails/get-email-attachment.ts";
import type { ErasureView } from "../recipients/erase-recipient.ts";
import type { CallShapes } from "./call-options.ts";

/** What `export` takes. */
export interface ExportRecipientInput {
  /** The recipient's address. Upper and lower case are equal. */
  email: string;
}

/** What `erase` takes. */
export interface EraseRecipientInput {
  /** The recipient's address. Upper and lower case are equal. */
  email: string;
}

/** Recipients of a workspace: their data, its export and erasure. */
export interface RecipientsVerbs<K extends CallShapes = CallShapes> {
  /**
   * Exports all of the workspace's data about a recipient (platform.md P12) as NDJSON: one JSON object per line, each
   * with its `type`. It is read in pieces while it is consumed, so that any size is possible.
   */
  export(this: void, input: ExportRecipientInput, ...call: K["workspace"]): Promise<FileView>;
  /**
   * Erases a recipient from the workspace (platform.md P12): a worker replaces the address, name, subjects, values
   * and replies wherever they are stored, and cancels the recipient's waiting e-mails. Counts stay, and so do
   * suppressions, under a hash. Repeating the call while the erasure runs changes nothing.
   */
  erase(this: void, input: EraseRecipientInput, ...call: K["workspace"]): Promise<ErasureView>;
}
