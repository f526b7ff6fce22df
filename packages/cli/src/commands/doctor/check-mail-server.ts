import type { SettingValues } from "../../program/settings.ts";
import { captureUrl } from "../../service/capture-url.ts";
import { broken, type Finding, ok, warning } from "./finding.ts";

/** Connects to the mail server, greets it and logs in. */
export async function checkMailServer({ smtp_url }: SettingValues): Promise<Finding> {
  const name = "mail server";
  if (smtp_url === undefined) {
    return warning(
      name,
      "none: nothing can be delivered",
      "Set SERVICE_SMTP_URL, such as smtp://user:password@mail.example.com:587",
    );
  }
  if (smtp_url === captureUrl) {
    return warning(name, "none: e-mails are captured, not sent", "Set SERVICE_SMTP_URL to send it.");
  }
  const { createSmtpMailer } = await import("@posthorn/mailer-smtp");
  try {
    const mailer = createSmtpMailer({
      url: smtp_url,
      timeouts: { connect: 5_000, greeting: 10_000, command: 10_000 },
    });
    const fault = await mailer.verify();
    await mailer.close();
    const { host } = new URL(smtp_url);
    if (fault === undefined) return ok(name, `${host} answers`);
    return broken(
      name,
      `${host}: ${fault}`,
      "Check SERVICE_SMTP_URL, and that this machine may connect there.",
    );
  } catch (error) {
    return broken(name, (error as Error).message, "Check SERVICE_SMTP_URL.");
  }
}
