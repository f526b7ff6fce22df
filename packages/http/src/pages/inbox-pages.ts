import { time } from "../contract/wire/schemas.ts";
import { escapeHtml, type Page } from "../server/plain-reply.ts";
import type { InboxMail, InboxMailDetail } from "./capture-inbox.ts";
import { pageFrame } from "./page-frame.ts";

/** Looks for newer mail, and shows it; while the page is hidden it costs nothing. */
const refresh = `
const shown = document.querySelector("main").dataset;
setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch("inbox.json").catch(() => undefined);
  const mails = answer?.ok ? await answer.json() : undefined;
  if (mails && ((mails[0]?.id ?? "") !== shown.newest || String(mails.length) !== shown.count)) location.reload();
}, 3000);`;

/** The kept mails, newest first. `formToken` proves that the form was ours. */
export function inboxPage(mails: readonly InboxMail[], formToken: string): Page {
  const items = mails.map(
    ({ id, from, to, subject, receivedAt }) => `<li><a href="inbox/${encodeURIComponent(id)}">
<strong>${escapeHtml(subject || "(no subject)")}</strong><span>${escapeHtml(to.join(", "))}</span>
<small>from ${escapeHtml(from.address)}, ${human(receivedAt)}</small></a></li>`,
  );
  const list = `<ul class="mails">${items.join("")}</ul>
<form method="post" action="inbox/clear"><input type="hidden" name="token" value="${formToken}">
<button class="plain">Forget all</button></form>`;
  const body = `<p>Mail is captured here and sent nowhere. New mail shows by itself.</p>
${mails.length === 0 ? "<p>No mail yet.</p>" : list}<script>${refresh}</script>`;
  const data = { newest: mails[0]?.id ?? "", count: String(mails.length) };
  return { html: pageFrame("Captured mail", body, { wide: true, data }), scripts: [refresh] };
}

/**
 * One kept mail. Its HTML stands in a frame that runs nothing, and loads nothing but, where it was asked for, pictures; its links open in a tab of
 * their own.
 */
export function inboxMailPage(mail: InboxMailDetail, { pictures }: { pictures: boolean }): Page {
  const rows: [string, string][] = [
    ["From", `${mail.from.name} <${mail.from.address}>`.trim()],
    ["To", mail.to.join(", ")],
    ...mail.headers.map(({ name, value }): [string, string] => [name, value]),
    ...mail.attachments.map(({ filename, contentType, size }): [string, string] => [
      "Attachment",
      `${filename} (${contentType}, ${size} bytes)`,
    ]),
  ];
  const table = rows.map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const sources = pictures ? "data: https: http:" : "data:";
  const frame = `<h2>HTML</h2>${pictureNote(mail.html, pictures)}
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="The mail's HTML" srcdoc="${escapeHtml(framed(mail.html, sources))}"></iframe>`;
  const body = `<p><a href="../inbox">All mails</a></p>
<table><tr><th scope="row">Received</th><td>${human(mail.receivedAt)}</td></tr>${table.join("")}</table>
${mail.html === "" ? "" : frame}
<h2>Text</h2><pre>${linked(mail.text)}</pre>
<details><summary>Source</summary><pre>${escapeHtml(mail.source)}</pre></details>`;
  // The frame's document inherits this policy; pictures inside the mail itself may show.
  return {
    html: pageFrame(mail.subject || "(no subject)", body, { wide: true }),
    policy: ["frame-src 'self'", `img-src ${sources}`],
  };
}

/** Loading a picture tells its server that the mail was opened, so it is asked first. */
function pictureNote(html: string, pictures: boolean): string {
  if (!/(?:src|srcset|background)\s*=\s*["']?\s*(?:https?:)?\/\/|url\(\s*["']?https?:/i.test(html)) return "";
  return pictures
    ? '<p>Pictures were loaded from the network. <a href="?">Show without them</a></p>'
    : '<p>Pictures from the network are not loaded. <a href="?pictures=1">Load them</a></p>';
}

const framed = (html: string, pictures: string): string =>
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src ${pictures}"><base target="_blank">${html}`;

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `1 Jan 2030, 08:05 UTC`. */
function human(ms: number): string {
  const date = new Date(ms);
  const iso = time(ms);
  const day = `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  return `<time datetime="${iso}">${day}, ${iso.slice(11, 16)} UTC</time>`;
}

/** Plain text as HTML, its web addresses as links. */
function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}])/i)
    .map((part, at) => {
      const shown = escapeHtml(part);
      return at % 2 === 0
        ? shown
        : `<a href="${shown}" target="_blank" rel="noopener noreferrer">${shown}</a>`;
    })
    .join("");
}
