import { deleteAttachment } from "./delete-attachment.ts";
import { getAttachment } from "./get-attachment.ts";
import { uploadAttachment } from "./upload-attachment.ts";

/** Uploaded files that can be sent. */
export const attachments = {
  upload: uploadAttachment,
  get: getAttachment,
  delete: deleteAttachment,
} as const;
