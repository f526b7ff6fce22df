import { escapeHtml, type Page } from "../plain-reply.ts";
import { time } from "../wire/schemas.ts";
import type { InboxMail, InboxMailDetail } from "./capture-inbox.ts";
import { pageFrame } from "./page-frame.ts";

/** The kept mails, newest first. */
export function inboxPage(mails: readonly InboxMail[]): Page {
  const rows = mails.map(
    ({ id, from, to, subject, receivedAt }) => `<tr><td><time>${time(receivedAt)}</time></td>
<td>${escapeHtml(from.address)}</td><td>${escapeHtml(to.join(", "))}</td>
<td><a href="inbox/${encodeURIComponent(id)}">${escapeHtml(subject || "(no subject)")}</a></td></tr>`,
  );
  const table = `<table><thead><tr><th scope="col">Received</th><th scope="col">From</th><th scope="col">To</th>
<th scope="col">Subject</th></tr></thead><tbody>${rows.join("")}</tbody></table>
<form method="post" action="inbox/clear"><button class="plain">Forget all</button></form>`;
  const body = `<p>Mail is captured here and sent nowhere.</p>${mails.length === 0 ? "<p>No mail yet.</p>" : table}`;
  return { html: pageFrame("Captured mail", body, { wide: true }) };
}

/** One kept mail. Its HTML stands in a frame that may run and load nothing. */
export function inboxMailPage(mail: InboxMailDetail): Page {
  const rows: [string, string][] = [
    ["From", `${mail.from.name} <${mail.from.address}>`.trim()],
    ["To", mail.to.join(", ")],
    ["Received", time(mail.receivedAt)],
    ...mail.headers.map(({ name, value }): [string, string] => [name, value]),
    ...mail.attachments.map(({ filename, contentType, size }): [string, string] => [
      "Attachment",
      `${filename} (${contentType}, ${size} bytes)`,
    ]),
  ];
  const table = rows.map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const frame = `<h2>HTML</h2><iframe sandbox="" title="The mail's HTML" srcdoc="${escapeHtml(framed(mail.html))}"></iframe>`;
  const body = `<p><a href="../inbox">All mails</a></p><table>${table.join("")}</table>
${mail.html === "" ? "" : frame}
<h2>Text</h2><pre>${escapeHtml(mail.text)}</pre>
<details><summary>Source</summary><pre>${escapeHtml(mail.source)}</pre></details>`;
  // The frame's document inherits this policy; pictures inside the mail itself may show.
  return {
    html: pageFrame(mail.subject || "(no subject)", body, { wide: true }),
    policy: ["frame-src 'self'", "img-src data:"],
  };
}

const framed = (html: string): string =>
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">${html}`;
