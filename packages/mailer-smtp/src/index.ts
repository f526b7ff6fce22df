export type { CapturedMail, CapturedMailDetail } from "./capture/captured-mail.ts";
export { composeMessage } from "./compose/compose-message.ts";
export { readDkimKey, type SigningKey } from "./compose/dkim-key.ts";
export {
  type CaptureMailer,
  type CaptureMailerOptions,
  createCaptureMailer,
} from "./create-capture-mailer.ts";
export { createServerProbe, type ServerProbeOptions } from "./create-server-probe.ts";
export { createSmtpMailer, type SmtpMailerOptions } from "./create-smtp-mailer.ts";
export type { SmtpTimeouts } from "./smtp/server-settings.ts";
