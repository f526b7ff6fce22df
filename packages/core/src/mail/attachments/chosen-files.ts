import type { AttachmentItem, NewAttachmentSet } from "../../ports/storage/attachments.ts";
import type { SealedFile } from "./sealed-files.ts";

/** The files of a send: what each is, and whose content is yet to be kept. */
export interface ChosenFiles {
  files: ChosenFile[];
  /** Whether any came within the request, and is yet to be kept. */
  holdsInline: boolean;
  /** Handles whose use is to be noted. */
  used: string[];
}

/** A file of a send. */
export interface ChosenFile extends Omit<AttachmentItem, "blobId"> {
  /** Kept already, or as it came within the request. */
  source: number | Buffer;
}

/** Files as a submission has them. */
export interface SubmittedFiles {
  set: NewAttachmentSet;
  /** Handles whose use is to be noted, and till when they live then. */
  used: { ids: string[]; expiresAt: number };
  /** Of a sensitive e-mail: what its own payload seals of each file. */
  sealed?: SealedFile[];
}
