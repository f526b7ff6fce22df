export type { CapturedMail, CapturedMailDetail } from "./capture/captured-mail.ts";
export { readDkimKey, type SigningKey } from "./compose/dkim-key.ts";
export {
  type CaptureMailer,
  type CaptureMailerOptions,
  createCaptureMailer,
} from "./create-capture-mailer.ts";
export { createSmtpMailer } from "./create-smtp-mailer.ts";
export type { SmtpTimeouts } from "./smtp/settings/server-settings.ts";
export type { SmtpMailerOptions } from "./smtp-mailer-options.ts";
