import type { ErrorCode } from "../../errors.ts";

/** Refusals because of the sender. */
export const senderRefusals = [
  "email_not_verified",
  "workspace_not_trusted",
  "sender_missing",
  "domain_not_verified",
] as const satisfies ErrorCode[];

/** Refusals because of files in a request. */
export const fileRefusals = [
  "attachment_not_found",
  "attachment_too_large",
  "message_too_large",
] as const satisfies ErrorCode[];

/** Refusals of a campaign as a whole, when what it sends becomes fixed. */
export const pinRefusals = [
  ...senderRefusals,
  ...fileRefusals,
  "no_smtp_server",
] as const satisfies ErrorCode[];

/** Refusals of any send; `not_found` while the workspace is being deleted. */
export const sendRefusals = [
  "not_found",
  ...senderRefusals,
  ...fileRefusals,
  "deadline_passed",
  "limit_never_opens",
  "dedupe_key_spent",
  "rate_limited",
  "all_recipients_suppressed",
  "idempotency_key_reused",
  "no_smtp_server",
] as const satisfies ErrorCode[];

/** Additional refusals of a send by template. */
export const templateRefusals = [
  "not_found",
  "template_data_missing",
  "template_render_failed",
] as const satisfies ErrorCode[];
