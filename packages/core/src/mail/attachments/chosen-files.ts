import type { AttachmentItem, NewAttachmentSet } from "../../ports/storage.ts";
import type { SealedFile } from "./sealed-files.ts";

/** Files of a send, and which contents are still to be stored. */
export interface ChosenFiles {
  files: ChosenFile[];
  /** Whether a file came within the request and is still to be stored. */
  holdsInline: boolean;
  /** Handles whose last use is to be updated. */
  used: string[];
}

/** A file of a send. */
export interface ChosenFile extends Omit<AttachmentItem, "blobId"> {
  /** Id of the stored content, or the bytes from the request. */
  source: number | Buffer;
}

/** Files of a submission. */
export interface SubmittedFiles {
  set: NewAttachmentSet;
  /** Handles whose last use is to be updated, and their new expiry. */
  used: { ids: string[]; expiresAt: number };
  /** What the payload of a sensitive e-mail seals of each file. */
  sealed?: SealedFile[];
}
