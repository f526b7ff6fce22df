import { createReportTokens } from "../src/inbound/rules/report-token.ts";
import { createSecretBox } from "../src/rules/secret-box.ts";
import { worldSecretKey } from "../src/testing/world.ts";
import { workspace, world } from "./world-for-each.ts";

/** Tokens under the default secret key of worlds. */
export const tokens = createReportTokens(createSecretBox(worldSecretKey).reportKey);

/** Sends and delivers an e-mail; returns its id and the token in its headers. */
export async function deliver(to: string[] = ["ada@example.com"], workspaceId = workspace.id) {
  const { id } = await world.posthorn.emails.send({ subject: "Hi", text: "Hello", to }, { workspaceId });
  await world.posthorn.drain();
  return { id, token: await tokenOf(id) };
}

/** Returns the token in the e-mail's header `X-Service-Ref`. */
async function tokenOf(id: string): Promise<string> {
  const found = await world.storage.reports.findEmail({ id });
  const position = found?.recipients.length === 1 ? 0 : undefined;
  return tokens.make({ row: found?.row ?? 0, position });
}

interface Told {
  action?: string;
  to?: string;
  reply?: string;
}

/** Returns a bounce message as mail servers send it. */
export const notification = (told: Told[], about: { to?: string; returned?: string[] } = {}): string =>
  [
    "From: MAILER-DAEMON@mx.example",
    ...(about.to === undefined ? [] : [`To: ${about.to}`]),
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
    "",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example",
    "",
    ...told.flatMap(({ action = "failed", to = "ada@example.com", reply = "550 5.1.1 User unknown" }) => [
      `Final-Recipient: rfc822; ${to}`,
      `Action: ${action}`,
      `Diagnostic-Code: smtp; ${reply}`,
      "",
    ]),
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    ...(about.returned ?? []),
    "--b--",
  ].join("\r\n");

/** Returns a bounce message that returns a message with this token. */
export const about = (token: string, told: Told[] = [{}]): string =>
  notification(told, { returned: [`X-Service-Ref: ${token}`] });

export const complaint = (token: string, type = "abuse"): string =>
  [
    "Content-Type: multipart/report; report-type=feedback-report; boundary=b",
    "",
    "--b",
    "Content-Type: message/feedback-report",
    "",
    `Feedback-Type: ${type}`,
    "--b",
    "Content-Type: message/rfc822",
    "",
    `X-Service-Ref: ${token}`,
    "--b--",
  ].join("\r\n");

export const feed = (message: string, as = workspace.asOwner) => world.posthorn.inbound.feed({ message }, as);
