import { panesScript } from "../panes-script.ts";

/** Script of the inbox page. A mail's texts are inserted as text; its HTML is in a frame that runs no scripts. */
export const inboxScript = `${panesScript}
const root = new URL(document.body.dataset.root, location.href).href;
const addressOf = (mail) => root + "/" + encodeURIComponent(mail);
// Made once: with one for each row, a thousand rows took ten times as long.
const formats = [{ dateStyle: "medium", timeStyle: "medium" }, { hour: "2-digit", minute: "2-digit" }, { day: "numeric", month: "short" }];
const [fullFormat, clockFormat, dayFormat] = formats.map((each) => new Intl.DateTimeFormat(undefined, each));
const fullTime = (ms) => fullFormat.format(ms);
const shortTime = (ms) => (new Date(ms).toDateString() === new Date().toDateString() ? clockFormat : dayFormat).format(ms);
const timeOf = (ms, words) => make("time", { dateTime: new Date(ms).toISOString(), title: fullTime(ms), textContent: words(ms) });

let mails = [];
let open;
let openDetail;
let view = "html";
let narrow = false;
let pictures = false;
const seen = new Set(JSON.parse(sessionStorage.getItem("seen") ?? "[]"));

const matches = (mail, words) => {
  const text = [mail.subject, mail.from.name, mail.from.address, mail.to.join(" "), mail.preview ?? ""].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
};
const shown = () => {
  const words = searchWords();
  return mails.filter((mail) => matches(mail, words));
};
const row = (mail) => {
  const link = make("a", { href: addressOf(mail.id) },
    make("span", { className: "who", textContent: mail.to[0] + (mail.to.length > 1 ? " +" + (mail.to.length - 1) : "") }),
    timeOf(mail.receivedAt, shortTime),
    make("strong", { textContent: mail.subject || "(no subject)" }),
    make("span", { className: "preview", textContent: mail.preview ?? "" }),
    mail.attachmentCount ? make("span", { className: "clip", textContent: mail.attachmentCount + (mail.attachmentCount === 1 ? " file" : " files") }) : undefined);
  if (!seen.has(mail.id)) link.classList.add("new");
  if (mail.id === open) link.setAttribute("aria-current", "true");
  link.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    go(mail.id);
  });
  return make("li", {}, link);
};
const drawList = () => {
  const found = shown();
  fillList(found.map(row));
  byId("none").hidden = found.length > 0;
  byId("none").textContent = mails.length === 0 ? "No e-mails yet. They appear here as soon as they are sent." : "No e-mail matches.";
  // The oldest are removed once so many are kept.
  const kept = String(mails.length) === document.body.dataset.limit ? "Newest " : "";
  tellCount(mails.length === 0 ? "Captured here" : kept + mails.length + (mails.length === 1 ? " e-mail" : " e-mails"), mails.length === 0 ? ", not sent" : " captured, not sent");
  byId("clear").disabled = mails.length === 0;
  const unread = mails.filter((mail) => !seen.has(mail.id)).length;
  document.title = (unread > 0 ? "(" + unread + ") " : "") + (openDetail?.subject ? openDetail.subject + " · " : "") + "Inbox · Posthorn";
};

const table = (rows) => make("table", {}, make("tbody", {}, ...rows.map(([name, value]) =>
  make("tr", {}, make("th", { scope: "row", textContent: name }), make("td", { textContent: value })))));

const recipients = (to) => to.length <= 5 ? [to.join(", ")] : [to.slice(0, 3).join(", "),
  make("details", {}, make("summary", { textContent: "and " + (to.length - 3) + " more" }), to.slice(3).join(", "))];

const views = {
  html: (mail) => {
    const frame = htmlFrame("The e-mail's HTML", addressOf(mail.id) + "/html" + (pictures ? "?pictures=1" : ""), narrow);
    const widths = widthSwitch(narrow, (on) => { narrow = on; drawMail(); });
    const remote = picturesButton(mail.has_remote_pictures, pictures, () => { pictures = !pictures; drawMail(); });
    return [make("div", { className: "tools" }, widths, remote), frame];
  },
  text: (mail) => mail.text === "" ? [note("", "This e-mail has no text part.")] : [make("pre", { className: "text" }, ...linked(mail.text))],
  headers: (mail) => [table(mail.all_headers.map(({ name, value }) => [name, value]))],
  source: (mail) => [make("pre", { textContent: mail.source })],
};
const titles = { html: "HTML", text: "Text", headers: "Headers", source: "Source" };

const warnings = (mail) => [
  mail.missing?.length > 0 ? note("warn", make("b", { textContent: "No value for " }), mail.missing.join(", "), ": left empty, as the call allowed it.") : undefined,
  tooLong(mail.html_size),
];
const drawMail = () => {
  const mail = openDetail;
  document.body.classList.toggle("reading", mail !== undefined);
  if (mail === undefined) return;
  const part = shownView(view, mail.html);
  const bar = tabBar(titles, part, (name) => { view = name; drawMail(); });
  bar.setAttribute("aria-label", "Parts of the e-mail");
  const panel = tabPanel(part, ...views[part](mail));
  const files = mail.attachments.map((file, position) =>
    make("li", {}, make("a", { href: addressOf(mail.id) + "/attachments/" + position, download: file.filename },
      file.filename || "unnamed", make("small", { textContent: file.contentType + ", " + bytes(file.size) }))));
  const from = mail.from.name ? mail.from.name + " <" + mail.from.address + ">" : mail.from.address;
  fillMail(
    make("button", { type: "button", className: "back", textContent: "‹ All e-mails", onclick: () => go(undefined) }),
    make("h2", { textContent: mail.subject || "(no subject)" }),
    make("dl", {},
      make("div", {}, make("dt", { textContent: "From" }), make("dd", { textContent: from })),
      ...Object.entries({ To: mail.addressed.to, Cc: mail.addressed.cc, Bcc: mail.addressed.bcc }).filter(([, to]) => to.length > 0)
        .map(([name, to]) => make("div", {}, make("dt", { textContent: name }), make("dd", {}, ...recipients(to)))),
      make("div", {}, make("dt", { textContent: "When" }), make("dd", {}, timeOf(mail.receivedAt, fullTime), " · " + bytes(mail.source_size)))),
    ...warnings(mail),
    ...(files.length > 0 ? [make("ul", { className: "files" }, ...files)] : []),
    bar, panel);
};

const load = async (id) => {
  const answer = await fetch(addressOf(id) + ".json").catch(() => undefined);
  return answer?.ok ? await answer.json() : undefined;
};
const show = async (id) => {
  const left = open;
  open = id;
  pictures = false;
  const detail = id === undefined ? undefined : await load(id);
  if (open !== id) return;
  openDetail = detail;
  if (id !== undefined && detail === undefined) byId("mail").replaceChildren(make("p", { className: "empty", textContent: "This e-mail was deleted." }));
  if (detail !== undefined) { seen.add(id); sessionStorage.setItem("seen", JSON.stringify([...seen].slice(-2000))); }
  drawMail();
  drawList();
  if (id === undefined && left !== undefined) rowOf(addressOf(left))?.focus();
};
const go = async (id) => {
  history.pushState(null, "", id === undefined ? root : addressOf(id));
  await show(id);
  if (id !== undefined) byId("mail").focus({ preventScroll: !narrowScreen.matches });
  scrollTo(0, 0);
};
const here = () => {
  const rest = location.href.split(/[?#]/)[0].slice(root.length + 1);
  return rest === "" ? undefined : decodeURIComponent(rest);
};
// Without an e-mail in the address, a wide screen shows the newest.
const firstShown = () => narrowScreen.matches ? undefined : mails[0]?.id;
const look = createLook(root + ".json", (read) => {
  mails = read;
  drawList();
});

addEventListener("popstate", () => show(here() ?? firstShown()));
byId("search").addEventListener("input", drawList);
byId("clear").form.addEventListener("submit", (event) => {
  if (!confirm(mails.length === 1 ? "Delete the e-mail?" : "Delete all " + mails.length + " e-mails?")) event.preventDefault();
});
onKeys({ j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }, (step, event) => {
  if (event.key.startsWith("Arrow") && !byId("list").contains(document.activeElement)) return;
  const list = shown();
  const next = list[open === undefined ? 0 : list.findIndex(({ id }) => id === open) + step];
  if (next === undefined) return;
  event.preventDefault();
  go(next.id).then(() => document.querySelector("[aria-current]")?.focus());
});
const start = async () => {
  await look();
  const wanted = here() ?? firstShown();
  if (wanted === undefined) return;
  await show(wanted);
  document.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
};
start();
setInterval(() => { if (!document.hidden) look(); }, 1500);
addEventListener("visibilitychange", () => { if (!document.hidden) look(); });
`;
