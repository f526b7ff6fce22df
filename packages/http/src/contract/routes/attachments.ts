import { useCases } from "@posthorn/core/internal";
import { route } from "../route.ts";
import { attachmentWire } from "../wire/attachments.ts";
import { noContent } from "../wire/schemas.ts";

const { attachments, emails } = useCases;

const uploading = {
  status: 201,
  reply: attachmentWire,
} as const;

/** Routes of uploaded files, and of e-mails' files (platform.md P3). */
export const attachmentRoutes = [
  route("POST /attachments", attachments.upload, {
    ...uploading,
    by: "api_key",
    summary: "Upload a file for sends to refer to",
  }),
  route("POST /workspaces/current/attachments", attachments.upload, {
    ...uploading,
    by: "campaigns:write",
    summary: "Upload a file for campaigns to refer to",
  }),
  route("GET /attachments/{id}", attachments.get, {
    summary: "Read an uploaded file's metadata",
    params: { id: "attachmentId" },
    reply: attachmentWire,
  }),
  route("DELETE /attachments/{id}", attachments.delete, {
    summary: "Delete an uploaded file",
    status: 204,
    envelope: "none",
    params: { id: "attachmentId" },
    reply: noContent,
  }),
  route("GET /workspaces/current/emails/{id}/attachments/{position}", emails.getAttachment, {
    summary: "Download a file of an e-mail",
    envelope: "file",
    params: { id: "emailId" },
    reply: noContent,
  }),
] as const;
