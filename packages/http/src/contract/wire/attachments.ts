import type { OutputOf } from "@posthorn/core";
import type { useCases } from "@posthorn/core/internal";
import { z } from "zod";
import { wire } from "../route.ts";
import { integer, named, time, timestamp, uuid } from "./schemas.ts";

type Attachment = OutputOf<(typeof useCases)["attachments"]["get"]>;

/** An uploaded file (platform.md P3). */
export const attachmentWire = wire(
  named(
    "Attachment",
    z.object({
      id: uuid,
      filename: z.string(),
      content_type: z.string(),
      size: integer,
      digest: z.string(),
      created_at: timestamp,
      expires_at: timestamp,
    }),
  ),
  (attachment: Attachment) => ({
    id: attachment.id,
    filename: attachment.filename,
    content_type: attachment.contentType,
    size: attachment.size,
    digest: attachment.digest,
    created_at: time(attachment.createdAt),
    expires_at: time(attachment.expiresAt),
  }),
);
