import { expect, test } from "vitest";
import { inlineCss } from "./inline-css.ts";

const dark = "@media (prefers-color-scheme: dark) { :root { --bg: black } }";
const root = ":root { --bg: white; --line: 1px solid var(--bg); --pad: 4px }";
const styleOf = (css: string, html = "<p>x") => /<p style="(.*?)"/.exec(inlineCss(html, css))?.[1];

test("a variable that dark mode defines anew still is one once inlined, with a value for all before", () => {
  const css = "p { background: var(--bg); padding: var(--pad) }";
  expect(styleOf(`${root} ${dark} ${css}`)).toBe(
    "background: white; background: var(--bg, white); padding: 4px;",
  );
  expect(styleOf(`${root} ${css}`)).toBe("background: white; padding: 4px;");
});

test.each([
  [
    "one that depends on it",
    `${root} ${dark} p { border: var(--line) }`,
    "border",
    "1px solid white",
    "--line",
  ],
  ["one for a state", `${root} p:hover { --bg: blue } p { color: var(--bg) }`, "color", "white", "--bg"],
  [
    "one for Outlook in dark mode",
    `${root} [data-ogsc] p { --bg: blue } p { color: var(--bg) }`,
    "color",
    "white",
    "--bg",
  ],
])("and so is %s", (_, css, property, value, name) => {
  expect(styleOf(css)).toBe(`${property}: ${value}; ${property}: var(${name}, ${value});`);
});

test("within other functions, with a default, and where it is important", () => {
  const css = "p { margin: calc(var(--bg, 1px) + var( --pad ) + var(--none, var(--bg))) }";
  expect(styleOf(`${root} ${dark} ${css}`)).toBe(
    "margin: calc(white + 4px + white); margin: calc(var(--bg, white) + 4px + var(--bg, white));",
  );
  expect(styleOf(`${root} ${dark} p { top: var(--bg) !important }`, '<p style="top: {{x}}">')).toBe(
    "top: white !important; top: var(--bg, white) !important; top: {{x}}",
  );
});

test("in a style attribute, and if a style element for some readers defines it", () => {
  const html = `<style media="(prefers-color-scheme: dark)">:root { --bg: black }</style><p style="color: var(--bg)">`;
  expect(styleOf(`${root} p { top: 0 }`, html)).toBe("top: 0; color: white; color: var(--bg, white);");
  expect(inlineCss(html, `${root} b { top: 0 }`)).toContain('<p style="color: var(--bg)">');
});

test("a later rule overrides both values", () => {
  const css = "p { color: var(--bg) } p.a { color: red }";
  expect(styleOf(`${root} ${dark} ${css}`, '<p class="a">')).toBe("color: red;");
});

test("one without a value for all stays as it is", () => {
  expect(styleOf(`${dark} p { color: var(--bg) }`)).toBe("color: var(--bg);");
});

test("one that only dark mode defines stays one where it has a default, also if another takes it from there", () => {
  const white = "color: white; color: var";
  expect(styleOf(`${dark} p { color: var(--bg, white) }`)).toBe(`${white}(--bg, white);`);
  expect(styleOf(`${dark} :root { --a: var(--bg, white) } p { color: var(--a) }`)).toBe(
    `${white}(--a, white);`,
  );
});

test.each([
  ["an element's own style", '<body style="--bg: {{brand}}"><p>'],
  ["a class that is a value", '<body class="{{brand}}"><p>'],
  ["a class in a section", '<body {{#b}}class="b"{{/b}}><p>'],
  ["an element that may be left out", '{{#b}}<div class="b">{{/b}}<p>{{#b}}</div>{{/b}}'],
])("one stays one if %s gives it another value, as brands have", (_, html) => {
  const css = ".b { --bg: red } p { color: var(--bg, white) }";
  expect(styleOf(`:root { --pad: 4px } ${css}`, html)).toMatch(
    /^color: (red|white); color: var\(--bg, \1\);$/,
  );
  expect(styleOf(`${root} ${css} p { top: var(--pad) }`, html)).toContain("top: 4px;");
});

test("and is replaced by its value where sections and raw values bring no other", () => {
  const html = '<div class="b">{{#list}}<p>{{{raw}}}</p>{{/list}}</div>';
  expect(styleOf(`${root} .b { --bg: red } p { color: var(--bg) }`, html)).toBe("color: red;");
});

test.each([":where(:root)", "p:first-child", ":is(p, i)"])(
  "a variable that %s defines stays one where dark mode defines it anew",
  (selector) => {
    const css = `${selector} { --c: red } @media (prefers-color-scheme: dark) { ${selector} { --c: blue } } p { color: var(--c) }`;
    expect(styleOf(css)).toBe("color: red; color: var(--c, red);");
  },
);

test.each([
  ["--a: var(--b); --b: var(--a); color: var(--a)", "", "color: var(--a); --a: var(--b); --b: var(--a);"],
  ["--a: var(--a); color: var(--a, red)", "", "color: red; color: var(--a, red); --a: var(--a);"],
  ["--a: var(--b); color: var(--a)", ":root { --b: var(--a) }", "color: var(--a); --a: var(--b);"],
])("variables of an own style that lead back to themselves stay variables: %s", (style, css, expected) => {
  expect(inlineCss(`<p style="${style}">x</p>`, `p { margin: 0 } ${css}`)).toContain(
    `<p style="margin: 0; ${expected}">x</p>`,
  );
});

test("variables that lead back to themselves stay variables, and their users take the default", () => {
  const font = ":root { --font: var(--font); --pad: 4px }";
  expect(styleOf(`${font} p { font-family: var(--font, Arial); padding: var(--pad) }`)).toBe(
    "font-family: Arial; font-family: var(--font, Arial); padding: 4px;",
  );
  const css = ":root { --a: var(--b); --b: red } .dark { --b: var(--a); --a: blue } p { color: var(--a) }";
  const html = inlineCss('<div class="dark"><p>x</p></div>', css);
  expect(html).toContain('<p style="color: var(--a);">');
  expect(html).toContain(".dark { --b: var(--a); --a: blue }");
});
