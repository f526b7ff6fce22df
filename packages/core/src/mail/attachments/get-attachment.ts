import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { type AttachmentView, findHandleOrThrow, viewAttachment } from "./attachment-view.ts";

/** Reads an uploaded file's metadata, without its content (platform.md P3). */
export const getAttachment = useCase({
  access: "api_key",
  reads: true,
  input: z.strictObject({ attachmentId: uuidField.describe("The uploaded file's id, a UUID.") }),
  async run({ storage, workspace, now }, { attachmentId }): Promise<AttachmentView> {
    return viewAttachment(await findHandleOrThrow(storage, workspace.id, attachmentId, now));
  },
});
