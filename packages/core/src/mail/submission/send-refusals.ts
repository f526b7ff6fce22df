import type { ErrorCode } from "../../errors.ts";

/** What stands against a sender. */
export const senderRefusals = [
  "email_not_verified",
  "workspace_not_trusted",
  "sender_missing",
  "domain_not_verified",
] as const satisfies ErrorCode[];

/** What stands against files that a request brings or names. */
export const fileRefusals = [
  "attachment_not_found",
  "attachment_too_large",
  "message_too_large",
] as const satisfies ErrorCode[];

/** What stands against any send. */
export const sendRefusals = [
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

/** What stands against a send by template besides. */
export const templateRefusals = [
  "template_data_missing",
  "template_render_failed",
] as const satisfies ErrorCode[];
