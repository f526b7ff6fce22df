import { panesScript } from "../panes-script.ts";

/**
 * Script of the templates page. A template's texts are inserted as text; its HTML is in a frame that runs no scripts.
 */
export const previewScript = `${panesScript}
const at = (path, name) => "previews" + path + "?name=" + encodeURIComponent(name);
let folder = "";
let templates = [];
let open;
let rendered;
let view = "html";
let narrow = false;
let pictures = false;
let drawn = 0;

const row = (template) => {
  const link = make("a", { href: "#" + encodeURIComponent(template.name) },
    make("strong", { textContent: template.name }),
    make("span", { className: "who", textContent: template.files.join(", ") }),
    make("span", { className: "clip", textContent: template.fault ? "can't be used" : "version " + template.version }));
  if (template.fault) link.classList.add("new");
  if (template.name === open) link.setAttribute("aria-current", "true");
  return make("li", {}, link);
};
const shown = () => {
  const words = searchWords();
  return templates.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
};
const drawList = () => {
  const found = shown();
  fillList(found.map(row));
  byId("none").hidden = found.length > 0;
  byId("none").textContent = templates.length === 0
    ? "No template yet. Save a welcome.html and a welcome.json with its subject in " + folder + ", and it appears here."
    : "No template matches.";
  const faults = templates.filter(({ fault }) => fault).length;
  tellCount(templates.length + (templates.length === 1 ? " template" : " templates") +
    (faults > 0 ? ", " + faults + " faulty" : ""), " (folder " + folder + ", updated when you save)");
  document.title = (faults > 0 ? "(!) " : "") + (open ? open + " · " : "") + "Templates · Posthorn";
};

const views = {
  html: ({ has_remote_pictures }) => {
    const source = at("/html", open) + "&drawn=" + drawn + (pictures ? "&pictures=1" : "");
    const remote = picturesButton(has_remote_pictures, pictures, () => { pictures = !pictures; draw(); });
    return [make("div", { className: "tools" }, widthSwitch(narrow, (on) => { narrow = on; draw(); }), remote),
      htmlFrame("The template's HTML", source, narrow)];
  },
  text: ({ text }) => text === "" ? [note("", "This template has no text part: one is made of the HTML when it is sent.")]
    : [make("pre", { className: "text" }, ...linked(text))],
  source: ({ html }) => [make("pre", { textContent: html })],
  data: ({ sample_data }) => [make("pre", { textContent: JSON.stringify(sample_data, null, 2) })],
};
const titles = { html: "HTML", text: "Text", source: "Source", data: "Sample data" };

const toSend = "Send to the inbox";
const sendButton = () => {
  const button = make("button", { type: "button", id: "send", textContent: toSend });
  button.addEventListener("click", async () => {
    // Not disabled meanwhile, as that would lose the focus.
    if (button.textContent !== toSend) return;
    button.textContent = "Sending";
    const body = new URLSearchParams({ token: document.body.dataset.token });
    const answer = await fetch(at("/send", open), { method: "POST", body }).catch(() => undefined);
    button.textContent = answer?.ok ? "Sent" : "Not sent";
    setTimeout(() => { button.textContent = toSend; }, 2000);
  });
  return button;
};
const draw = () => {
  const template = templates.find(({ name }) => name === open);
  document.body.classList.toggle("reading", open !== undefined);
  if (open === undefined) return;
  const part = shownView(view, rendered?.html);
  const fault = template?.fault && make("p", { className: "note fault", textContent: template.fault });
  fault?.setAttribute("role", "alert");
  const parts = rendered === undefined ? [] : [
    rendered.missing.length > 0 ? note("warn", make("b", { textContent: "No value for " }), rendered.missing.join(", "), " in the sample data. Sending would be refused.") : undefined,
    tooLong(rendered.html_size),
    template?.fault ? note("", "Shown is version " + template.version + ", from before this fault.") : undefined,
  ].filter(Boolean);
  const bar = rendered && tabBar(titles, part, (name) => { view = name; draw(); });
  bar?.setAttribute("aria-label", "Parts of the template");
  fillMail(
    make("button", { type: "button", id: "back", className: "back", textContent: "‹ All templates", onclick: () => { location.hash = ""; } }),
    make("h2", { textContent: rendered?.subject || open }),
    rendered && make("div", { className: "tools" },
      make("span", { className: "note", textContent: open + ", version " + template?.version + " · " + bytes(rendered.html_size) + " of HTML" }), sendButton()),
    fault, ...parts, bar,
    rendered && tabPanel(part, ...views[part](rendered)));
};
const load = async () => {
  const name = open;
  const answer = name === undefined ? undefined : await fetch(at("/rendered.json", name)).catch(() => undefined);
  const read = answer?.ok ? await answer.json() : undefined;
  if (name !== open) return;
  rendered = read;
  drawn += 1;
  draw();
};
const show = async (name) => {
  const left = open;
  open = name;
  pictures = false;
  rendered = undefined;
  drawList();
  await load();
  if (!narrowScreen.matches || name !== open) return;
  // On a narrow screen, what had the focus is hidden now.
  if (name !== undefined) byId("mail").focus();
  else if (left !== undefined) rowOf(new URL("#" + encodeURIComponent(left), location.href).href)?.focus();
};

const look = createLook("previews.json", async (read) => {
  ({ folder, templates } = read);
  drawList();
  await load();
});
const here = () => {
  // An address typed by hand may have a % that encodes nothing.
  try { return decodeURIComponent(location.hash.slice(1)) || undefined; } catch { return undefined; }
};
const firstShown = () => narrowScreen.matches ? undefined : (templates.find(({ fault }) => fault) ?? templates[0])?.name;

addEventListener("hashchange", () => show(here() ?? firstShown()));
byId("search").addEventListener("input", drawList);
onKeys({ j: 1, k: -1 }, (step) => {
  const list = shown();
  const next = list[open === undefined ? 0 : list.findIndex(({ name }) => name === open) + step];
  if (next !== undefined) location.hash = "#" + encodeURIComponent(next.name);
});
const start = async () => {
  open = here();
  await look();
  if (open === undefined) await show(firstShown());
};
// One look after the other, as a slow one must not be overtaken.
const watch = async () => {
  if (!document.hidden) await look();
  setTimeout(watch, 400);
};
start().then(watch);
`;
