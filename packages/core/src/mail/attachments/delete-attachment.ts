import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { uuidField } from "../../calls/uuid-field.ts";
import { ServiceError } from "../../errors.ts";

/** Deletes an uploaded file; e-mails that were accepted with it keep their copy (platform.md P3). */
export const deleteAttachment = useCase({
  access: "api_key",
  input: z.strictObject({ attachmentId: uuidField.describe("The uploaded file's id, a UUID.") }),
  async run({ storage, workspace, now, emit }, { attachmentId }): Promise<void> {
    const [handle] = await storage.attachments.findHandles(workspace.id, [attachmentId], now);
    if (handle === undefined || !(await storage.attachments.deleteHandle(workspace.id, attachmentId, now)))
      throw new ServiceError("not_found", { message: "There is no such file, or it has expired." });
    emit("attachment.deleted", { metadata: { attachment_id: attachmentId, name: handle.filename } });
  },
});
