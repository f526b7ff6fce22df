/** Functions shared by the scripts of pages with panes. External text is only inserted as text. */
export const panesScript = `
const byId = (id) => document.getElementById(id);
const make = (tag, fields, ...children) => {
  const made = Object.assign(document.createElement(tag), fields);
  made.append(...children.filter((each) => each !== undefined));
  return made;
};
const bytes = (count) => count < 1000 ? count + " B" : count < 1e6 ? (count / 1000).toFixed(count < 1e4 ? 1 : 0) + " kB" : (count / 1e6).toFixed(1) + " MB";
const linked = (text) => text.split(/(https?:\\/\\/[^\\s<>"']*[^\\s<>"'.,;:!?)\\]}])/i).map((part, at) =>
  at % 2 === 0 ? part : make("a", { href: part, target: "_blank", rel: "noopener noreferrer", textContent: part }));
// A phone has room for the first part.
const tellCount = (short, more) => byId("count").replaceChildren(short, make("span", { textContent: more }));
const note = (className, ...words) => make("p", { className: "note " + className }, ...words);

const tabBar = (titles, view, choose) => {
  const names = Object.keys(titles);
  const go = (name) => { choose(name); byId("tab-" + name).focus(); };
  const bar = make("div", { className: "tabs" }, ...names.map((name) => {
    const tab = make("button", { type: "button", id: "tab-" + name, textContent: titles[name], onclick: () => go(name) });
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", String(view === name));
    tab.setAttribute("aria-controls", "panel");
    tab.tabIndex = view === name ? 0 : -1;
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step !== undefined) go(names[(names.indexOf(view) + step + names.length) % names.length]);
    });
    return tab;
  }));
  bar.setAttribute("role", "tablist");
  return bar;
};
// The chosen tab is kept for the next one: only this one has no HTML.
const shownView = (view, html) => view === "html" && html === "" ? "text" : view;
const rowOf = (address) => [...byId("mails").querySelectorAll("a")].find(({ href }) => href === address);
const fillList = (rows) => {
  const list = byId("mails");
  const held = list.contains(document.activeElement) ? document.activeElement.href : undefined;
  list.replaceChildren(...rows);
  if (held !== undefined) rowOf(held)?.focus({ preventScroll: true });
};
// A button that draws everything anew keeps the focus, by its id.
const fillMail = (...parts) => {
  const at = byId("mail");
  const held = at.contains(document.activeElement) ? document.activeElement.id : "";
  at.replaceChildren(...parts.filter(Boolean));
  if (held !== "") byId(held)?.focus({ preventScroll: true });
};
const tabPanel = (view, ...children) => {
  const panel = make("div", { className: "panel " + view, id: "panel" }, ...children);
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", "tab-" + view);
  return panel;
};
const widthSwitch = (narrow, choose) => {
  const widths = make("div", { className: "switch" }, ...[["Desktop", false], ["Phone", true]].map(([name, on]) => {
    const button = make("button", { type: "button", id: "width-" + name, textContent: name, onclick: () => choose(on) });
    button.setAttribute("aria-pressed", String(narrow === on));
    return button;
  }));
  widths.setAttribute("role", "group");
  widths.setAttribute("aria-label", "Width");
  return widths;
};
const htmlFrame = (title, src, narrow) => {
  const frame = make("iframe", { title, src });
  frame.setAttribute("sandbox", "allow-popups allow-popups-to-escape-sandbox");
  return make("div", { className: "frame" + (narrow ? " narrow" : "") }, frame);
};
const picturesButton = (has, shown, toggle) => !has ? undefined : make("button", {
  type: "button", id: "pictures", textContent: shown ? "Hide remote pictures" : "Load remote pictures", onclick: toggle,
});
const narrowScreen = matchMedia("(max-width: 48rem)");
const searchWords = () => byId("search").value.toLowerCase().split(" ").filter(Boolean);
const onKeys = (steps, step) => addEventListener("keydown", (event) => {
  if (event.metaKey || event.ctrlKey || event.altKey) return;
  if (event.target.matches("input")) {
    if (event.key === "Escape") { event.target.value = ""; event.target.blur(); event.target.dispatchEvent(new Event("input")); }
    return;
  }
  // Only a narrow screen shows the way back.
  if (event.key === "Escape" && narrowScreen.matches && document.body.classList.contains("reading")) document.querySelector(".back")?.click();
  if (event.key === "/") { event.preventDefault(); byId("search").focus(); return; }
  if (steps[event.key] !== undefined) step(steps[event.key], event);
});
const createLook = (address, draw) => {
  let tag;
  return async () => {
    const answer = await fetch(address, tag ? { headers: { "if-none-match": tag } } : {}).catch(() => undefined);
    // Written only when it changes, because each time it is read out.
    const lost = answer === undefined ? " · the server does not answer" : "";
    if (byId("lost").textContent !== lost) byId("lost").textContent = lost;
    if (!answer?.ok) return;
    tag = answer.headers.get("etag") ?? undefined;
    await draw(await answer.json());
  };
};
const tooLong = (size) => size <= 102400 ? undefined
  : note("warn", make("b", { textContent: "HTML of " + bytes(size) + ". " }), "Gmail cuts off what is over 102 kB, and shows “Message clipped”.");
`;
