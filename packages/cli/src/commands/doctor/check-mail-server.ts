import type { SettingValues } from "../../program/settings/settings.ts";
import { captureUrl } from "../../service/capture-url.ts";
import { broken, type Finding, ok, warning } from "./finding.ts";

/** Connects to the mail server, greets it, logs in and asks whether it takes mail. A development server has none. */
export async function checkMailServer({ smtp_url }: SettingValues, isDev = false): Promise<Finding> {
  const name = "mail server";
  if (smtp_url === undefined) {
    return warning(
      name,
      "none: nothing can be delivered",
      "Set SERVICE_SMTP_URL, such as smtp://user:password@mail.example.com:587",
    );
  }
  if (smtp_url === captureUrl) {
    if (isDev) return ok(name, "none: a development server captures e-mails");
    return warning(
      name,
      "none: e-mails are captured, not sent",
      "To send them, set SERVICE_SMTP_URL to a mail server's URL.",
    );
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
    if (deferral.test(fault) && !clientCertificate.test(fault)) {
      const reply = fault.replace(/^.*?: (?=4\d\d\b)/, "");
      return warning(name, `${host} answers, but takes nothing more at present: ${reply}`, deferralAdvice);
    }
    return broken(name, fault.includes(host) ? fault : `${host}: ${fault}`, adviceFor(fault));
  } catch (error) {
    return broken(name, (error as Error).message, "Check SERVICE_SMTP_URL.");
  }
}

/** The words of a fault that passes by itself, such as too many connections from this machine (RFC 5321 section 3.8). */
const deferral = /: 421\b|refuses (?:the connection|EHLO): 4\d\d\b/;
const deferralAdvice =
  "A running service may hold every connection that the server allows: posthorn queue status shows whether mail goes " +
  "out. The parameter connections in SERVICE_SMTP_URL leaves some to others.";

/** Some servers close with 421 on a client whose certificate they do not trust: it passes by no waiting. */
const clientCertificate = /: [45]\d\d\b.*\bclient cert/is;

/** What to do about a fault, by its words. The first that fits applies. */
const advice: readonly (readonly [RegExp, string])[] = [
  [
    clientCertificate,
    "The server wants a certificate that it trusts: name it and its key by cert_file and key_file in SERVICE_SMTP_URL.",
  ],
  [
    /wrong version number/i,
    "This port speaks no TLS from the start: write smtp:// in SERVICE_SMTP_URL, with security=starttls, or another port.",
  ],
  [
    /set up TLS.*altnames/is,
    "Write the host that its certificate is for in SERVICE_SMTP_URL, or give the server a certificate for this one.",
  ],
  [/set up TLS.*certificate has expired/is, "Have the server's certificate renewed."],
  [
    /set up TLS.*certificate/is,
    "Name the roots to trust by the parameter ca_file in SERVICE_SMTP_URL, or give the server a certificate for its host.",
  ],
  [
    /offers no STARTTLS/i,
    "Try another port, 587 or smtps:// for 465. Only where the way to the server is trusted, security=none in SERVICE_SMTP_URL permits cleartext.",
  ],
  [
    /offers no login by/i,
    "Write one of the methods that the server offers as auth in SERVICE_SMTP_URL, or leave auth out. Tokens need token_file.",
  ],
  [
    /offers no login, so/i,
    "Write security=starttls or another port in SERVICE_SMTP_URL, as many servers offer a login only there; or leave out the user's name and the password.",
  ],
  [/defers the login/i, "The server can't check logins at present: look at its log. E-mails wait meanwhile."],
  [
    /no mail with these settings.*STARTTLS/is,
    "Write security=starttls in SERVICE_SMTP_URL: the server requires TLS before mail.",
  ],
  [
    /offers no login, and/i,
    "Write security=starttls or another port in SERVICE_SMTP_URL: the server requires a login, and offers none this way.",
  ],
  [
    /no mail with these settings/i,
    "Write the user's name and the password in SERVICE_SMTP_URL: the server requires a login.",
  ],
  [/no access token/i, "Check the file that token_file names in SERVICE_SMTP_URL."],
  [
    /refuses the login/i,
    "Check the user's name and the password in SERVICE_SMTP_URL, or the token in the file of its token_file.",
  ],
  [
    /no answer to the connection/i,
    "If the port speaks TLS from the start, write smtps:// in SERVICE_SMTP_URL. Otherwise check that this machine may connect there.",
  ],
];

function adviceFor(fault: string): string {
  const known = advice.find(([words]) => words.test(fault));
  return known?.[1] ?? "Check SERVICE_SMTP_URL, and that this machine may connect there.";
}
