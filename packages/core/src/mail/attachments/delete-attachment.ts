import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { findHandleOrThrow, noSuchFile } from "./attachment-view.ts";

/** Deletes an uploaded file; e-mails that were accepted with it keep their copy (platform.md P3). */
export const deleteAttachment = useCase({
  access: "api_key",
  input: z.strictObject({ attachmentId: uuidField.describe("The uploaded file's id, a UUID.") }),
  async run({ storage, workspace, now, emit }, { attachmentId }): Promise<void> {
    const { filename: name } = await findHandleOrThrow(storage, workspace.id, attachmentId, now);
    if (!(await storage.attachments.deleteHandle(workspace.id, attachmentId, now))) throw noSuchFile();
    emit("attachment.deleted", { metadata: { attachment_id: attachmentId, name } });
  },
});
