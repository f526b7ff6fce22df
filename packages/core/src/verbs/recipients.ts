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

/** Those a workspace sent to: what is held about them, and how it goes. */
export interface RecipientsVerbs<K extends CallShapes = CallShapes> {
  /**
   * All of the workspace's data about a recipient (platform.md P12): one JSON object a line, each with its `type`. It
   * is read in pieces as it is consumed, at any size.
   */
  export(input: ExportRecipientInput, ...call: K["workspace"]): Promise<FileView>;
  /**
   * Erases a recipient from the workspace (platform.md P12): a worker replaces the address, name, subjects, values
   * and replies wherever they are, and cancels the person's waiting e-mails. Counts stay, and so do suppressions,
   * under a hash. Asking again while it runs changes nothing.
   */
  erase(input: EraseRecipientInput, ...call: K["workspace"]): Promise<ErasureView>;
}
