export { composeMessage } from "./compose/compose-message.ts";
export { createSmtpMailer, type SmtpMailerOptions } from "./create-smtp-mailer.ts";
export type { SmtpTimeouts } from "./smtp/server-settings.ts";
