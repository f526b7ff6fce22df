// Printed by `npm run verbs`. Do not edit.
export const attachmentsWords = {
  "attachments.upload":
    "Stores a file that sends and campaigns can refer to by its id, for 7 days from the upload, and at least as long from each use (platform.md P3, P9).",
  "attachments.get": "Reads an uploaded file's metadata, without its content (platform.md P3).",
  "attachments.delete":
    "Deletes an uploaded file; e-mails that were accepted with it keep their copy (platform.md P3).",
};
