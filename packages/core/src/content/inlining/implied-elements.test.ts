import { expect, test } from "vitest";
import { inlineCss } from "./inline-css.ts";

const kept = /<style>\n(.*)\n<\/style>/s;

test("what is for the body or the root stays in a style element where readers add these, as html without them is common", () => {
  const css = "body, p { top: 0 }\nhtml { left: 0 }\n:root { right: 0 }\n.html, #body { bottom: 0 }";
  const expected = "body { top: 0 }\nhtml { left: 0 }\n:root { right: 0 }";
  expect(inlineCss("<p>x</p>", css)).toBe(`<style>\n${expected}\n</style><p style="top: 0;">x</p>`);
  expect(kept.exec(inlineCss("<html><p>x</p></html>", css))?.[1]).toBe("body { top: 0 }\n:root { right: 0 }");
  expect(inlineCss("<html><body>x</body></html>", css)).toContain('<body style="top: 0;">');
});

test("what is for the tbody that readers add to rows", () => {
  const css = "tbody td, td { top: 0 }\ntable > tbody > tr { left: 0 }";
  const table = "<table><tr><td>x</td></tr></table>";
  const inlined = table.replace("<tr", '<tr style="left: 0;"').replace("<td", '<td style="top: 0;"');
  expect(inlineCss(table, css)).toBe(`<style>\n${css.replace(", td", "")}\n</style>${inlined}`);
  expect(
    inlineCss(table.replaceAll("tr>", "tr></tbody>").replace("<tr></tbody>", "<tbody><tr>"), css),
  ).not.toMatch(kept);
});

test("what is for the empty paragraph that readers add for the end of one that a list ended", () => {
  const css = "p { margin: 0 }\nol p, .p { top: 0 }";
  expect(inlineCss("<p>x<ul><li>y</li></ul></p>", css)).toBe(
    '<style>\np { margin: 0 }\nol p { top: 0 }\n</style><p style="margin: 0;">x<ul><li>y</li></ul></p>',
  );
  expect(inlineCss("<ul><li>y<p>x</ul><p>z</p>", css)).not.toMatch(kept);
});

test("rows without a tbody are not their table's children, and the first after a thead is the first", () => {
  const table = "<table><thead><tr><td>h</td></tr></thead> <tr><td>x</td></tr><tr></tr></table>";
  expect(inlineCss(table, "table > tr, thead + tr { top: 0 }")).toBe(table);
  expect(inlineCss(table, "tr:nth-child(2) { top: 0 }")).toContain('</tr><tr style="top: 0;"></tr></table>');
  const rows = "<table><thead></thead>{{#rows}}<tr></tr>{{/rows}}<tbody></tbody></table>";
  const css = "tr:last-child { top: 0 }\nthead + tbody { left: 0 }";
  expect(inlineCss(rows, css)).toBe(`<style>\n${css}\n</style>${rows}`);
});

test("what is for any element, which these are, too, stays below all that is inlined", () => {
  const css = "*, b { margin: 0 !important }\np { margin: 1px }";
  expect(inlineCss("<b>x</b>", css)).toBe('<style>\n* { margin: 0 }\n</style><b style="margin: 0;">x</b>');
  expect(inlineCss("<table><tr></tr></table>", "table > * { top: 0 }")).toMatch(kept);
  expect(inlineCss("<html><body><b>x</b></body></html>", css)).not.toMatch(kept);
});

test("what is for children of anything is inlined, as all have a parent there", () => {
  expect(inlineCss("<p>x</p><b>y</b>", "* > p { top: 0 }")).toBe('<p style="top: 0;">x</p><b>y</b>');
  // Readers put the head before it.
  expect(inlineCss("<p>x</p>", ":first-child > p { top: 0 } :last-child > p { left: 0 }")).toContain(
    '<p style="left: 0;">',
  );
  expect(inlineCss("<html><p>x</p></html>", "* html p, * html { top: 0 }")).toBe("<html><p>x</p></html>");
  expect(inlineCss("<html><p>x</p></html>", "* > * > p { top: 0 }")).toContain('<p style="top: 0;">');
  expect(inlineCss("<body><p>x</p>", "* > * > p { top: 0 }")).toContain('<p style="top: 0;">');
});

test("a body is not the first child, as readers put a head before it", () => {
  for (const html of ["<body>x</body>", "<html><body>x</body></html>"])
    expect(inlineCss(html, ":first-child { top: 0 }")).not.toContain("<body style");
  expect(inlineCss("<html><body>x</body></html>", ":nth-child(2) { top: 0 }")).toContain("<body style");
});

test("what is for the first child after a style element is inlined, as readers put that in the head", () => {
  const rest = "<p>x</p><p>y</p>";
  for (const head of [
    "<style></style>",
    "<!-- c --><title>t</title>\n<meta charset=utf-8>",
    "<head></head>",
  ]) {
    const css =
      "p:first-child { top: 0 }\np:nth-child(2) { left: 0 }\nstyle + p, head + p, meta + p { right: 0 }";
    expect(inlineCss(head + rest, css)).toContain('<p style="top: 0;">x</p><p style="left: 0;">y</p>');
  }
});

test("a cell without an end tag ends before the next, whatever its kind", () => {
  const css = "tr > th { top: 0 } td th { left: 0 } th + td { right: 0 } td:last-child { bottom: 0 }";
  expect(inlineCss("<table><tbody><tr><td>a<th>b<th>c<td>d</table>", css)).toContain(
    '<tr><td>a<th style="top: 0;">b<th style="top: 0;">c<td style="right: 0; bottom: 0;">d</table>',
  );
});
