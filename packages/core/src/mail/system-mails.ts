import type { NewContent } from "../ports/storage.ts";

// Versions of Outlook that lack the first font set all text in Times.
const fonts = "'Segoe UI',system-ui,-apple-system,Roboto,Helvetica,Arial,sans-serif";

/** Which service wrote, and to which of the reader's addresses. The outbox adds both to each mail's data. */
const footer = "{{service}} sent this e-mail to {{address}}.";

const small = "margin:24px 0 0;font-size:13px;opacity:.75";

/** Names no colour of text or paper, so that a mail program in dark mode uses its own. */
const layout = (body: string): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>',
    `<body style="margin:0;padding:32px 20px;font-family:${fonts};font-size:16px;line-height:1.5">`,
    `<div style="max-width:480px;margin:0 auto;overflow-wrap:anywhere;word-break:break-word">${body}<p style="${small}">${footer}</p></div></body></html>`,
  ].join("");

/** A button in a cell, which Outlook gives its colour and room: it knows neither of a link. */
const button = (words: string): string =>
  [
    '<table role="presentation" border="0" cellpadding="0" cellspacing="0"><tr>',
    '<td bgcolor="#ffc629" style="border-radius:8px;mso-padding-alt:12px 20px">',
    '<a href="{{link}}" style="display:inline-block;padding:12px 20px;color:#1d2129;font-weight:600;text-decoration:none">',
    `${words}</a></td></tr></table>`,
  ].join("");

/** The address is shown as well, for programs that show no links, and for readers who look where one leads. */
const linked = (lead: string, action: string, tail: string): Omit<NewContent, "subject"> => ({
  html: layout(
    [
      `<p style="margin:0 0 24px">${lead}</p>`,
      button(action),
      `<p style="margin:24px 0">${tail}</p>`,
      `<p style="${small}">If the button does not work, open this address:<br>`,
      '<span style="word-break:break-all">{{link}}</span></p>',
    ].join(""),
  ),
  text: `${lead}\n\n${action}: {{link}}\n\n${tail}\n\n${footer}\n`,
});

const plain = (...paragraphs: string[]): Omit<NewContent, "subject"> => ({
  html: layout(
    paragraphs
      .map((paragraph) => `<p style="margin:0 0 16px">${paragraph.replaceAll("\n", "<br>")}</p>`)
      .join(""),
  ),
  text: `${[...paragraphs, footer].join("\n\n")}\n`,
});

/** The service's own mails (decisions §7): templates like any other, whose data is stored sealed. */
export const systemMails = {
  verification: {
    subject: "Verify your e-mail address",
    ...linked(
      "Hello, please verify your e-mail address.",
      "Verify the address",
      "The link works once, within 24 hours. If it wasn't you who gave this address, there is nothing to do.",
    ),
  },
  password_reset: {
    subject: "Reset your password",
    ...linked(
      "Hello {{name}}, someone asked to reset the password of your account.",
      "Choose a new password",
      "The link works once, within an hour. If it wasn't you, there is nothing to do.",
    ),
  },
  password_not_set: {
    subject: "Your account has no password",
    ...plain(
      "Hello {{name}},",
      "Someone asked to reset the password of your account. It has none: you log in through the application that it belongs to, and nothing has changed.",
      "If it wasn't you, there is nothing to do.",
    ),
  },
  invitation: {
    subject:
      "{{#inviter}}{{inviter}} invites you{{/inviter}}{{^inviter}}You are invited{{/inviter}} to {{workspace}}",
    ...linked(
      "{{#inviter}}{{inviter}} invites you{{/inviter}}{{^inviter}}You are invited{{/inviter}} to join the workspace {{workspace}} with the role {{role}}.",
      "See the invitation",
      "The invitation is valid for 7 days. If you don't want to join, there is nothing to do.",
    ),
  },
  account_exists: {
    subject: "You already have an account",
    ...plain(
      "Hello {{name}},",
      "Someone asked for an account with your address, which has one already. Nothing has changed.",
      "If it was you: log in, or reset your password if you forgot it.",
    ),
  },
  account_deleted: {
    subject: "Your account has been deleted",
    ...plain("Hello {{name}},", "Your account has been deleted, with its logins and memberships."),
  },
  member_added: {
    subject: "You are now a member of {{workspace}}",
    ...plain(
      "Hello {{name}},",
      "{{#actor}}{{actor}} added you{{/actor}}{{^actor}}You have been added{{/actor}} to the workspace {{workspace}} with the role {{role}}.",
      "If you don't want to be a member, you can leave it yourself.",
    ),
  },
  role_changed: {
    subject: "Your role in {{workspace}} has changed",
    ...plain(
      "Hello {{name}},",
      "{{#actor}}{{actor}} changed your role{{/actor}}{{^actor}}Your role has been changed{{/actor}} in the workspace {{workspace}} from {{from}} to {{to}}.",
    ),
  },
  two_factor_changed: {
    subject: "Two-factor login is {{state}}",
    ...plain(
      "Hello {{name}},",
      "Two-factor login of your account is now {{state}}.",
      "If it wasn't you, reset your password at once{{#isEnabled}}, and ask {{service}} to switch two-factor login off: without its codes you can't log in{{/isEnabled}}.",
    ),
  },
  password_changed: {
    subject: "Your password has changed",
    ...plain(
      "Hello {{name}},",
      "The password of your account has been changed.",
      "If it wasn't you, reset your password at once.",
    ),
  },
  address_changed: {
    subject: "Your account has another address",
    ...plain(
      "Hello {{name}},",
      "Your account has been given another e-mail address. This one no longer belongs to it: who has the new one can choose its password.",
      "If you don't expect this, ask {{service}} at once.",
    ),
  },
  api_keys_expiring: {
    subject: "API keys of {{workspace}} expire",
    ...plain(
      "Hello {{name}},",
      "These API keys of the workspace {{workspace}} are refused once they have expired:{{#keys}}\n- {{.}}{{/keys}}",
      "Replace them with new ones.",
    ),
  },
  webhook_disabled: {
    subject: "A webhook of {{workspace}} has been disabled",
    ...plain(
      "Hello {{name}},",
      "The webhook {{url}} of the workspace {{workspace}} has been disabled: {{reason}}.",
      "Fix the endpoint, then enable the webhook again.",
    ),
  },
  smtp_server_down: {
    subject: "The mail server {{server}} of {{workspace}} accepts no mail",
    ...plain(
      "Hello {{name}},",
      "The mail server {{server}} of the workspace {{workspace}} has accepted nothing since {{since}}. The last error was: {{reason}}",
      "Mail waits for it, or uses another suitable server. It is tried again every ten minutes.",
    ),
  },
} as const satisfies Record<string, NewContent>;

export type SystemMailKind = keyof typeof systemMails;

/** One of the service's own mails, to be queued. */
export interface SystemMail {
  kind: SystemMailKind;
  to: { name: string; address: string };
  data: Record<string, string | string[]>;
}
