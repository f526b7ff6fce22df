import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { uuidField } from "../../calls/uuid-field.ts";
import { ServiceError } from "../../errors.ts";
import { type AttachmentView, viewAttachment } from "./attachment-view.ts";

/** Reads an uploaded file's metadata, without its content (platform.md P3). */
export const getAttachment = useCase({
  access: "api_key",
  reads: true,
  input: z.strictObject({ attachmentId: uuidField.describe("The uploaded file's id, a UUID.") }),
  async run({ storage, workspace, now }, { attachmentId }): Promise<AttachmentView> {
    const [handle] = await storage.attachments.findHandles(workspace.id, [attachmentId], now);
    if (handle === undefined)
      throw new ServiceError("not_found", { message: "There is no such file, or it has expired." });
    return viewAttachment(handle);
  },
});
