import { deleteAttachment } from "./delete-attachment.ts";
import { getAttachment } from "./get-attachment.ts";
import { uploadAttachment, uploadWorkspaceAttachment } from "./upload-attachment.ts";

/** Files that are uploaded to be sent. */
export const attachments = {
  upload: uploadAttachment,
  uploadForWorkspace: uploadWorkspaceAttachment,
  get: getAttachment,
  delete: deleteAttachment,
} as const;
