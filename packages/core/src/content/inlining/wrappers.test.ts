import { expect, test } from "vitest";
import { inlineCss } from "./inline-css.ts";

const urgent = (html: string) =>
  `{{#urgent}}<div class="urgent">{{/urgent}}${html}{{#urgent}}</div>{{/urgent}}`;

test.each([
  ".urgent p { top: 0 }",
  ".urgent > p { top: 0 }",
  "td > div p { top: 0 }",
  "td > p { top: 0 }",
  "* > div > p { top: 0 }",
])("what a wrapper in a section decides stays in a style element: %s", (css) => {
  const html = `<td>${urgent("<p>x</p>")}</td>`;
  expect(inlineCss(html, css)).toBe(`<style>\n${css}\n</style>${html}`);
});

test("what holds with and without the wrapper is inlined, and of the wrapper itself what is around it", () => {
  const html = `<td id="a">${urgent('<p><b title="t">x</b></p>')}</td><p>y</p>`;
  const css = "#a p { top: 0 } p > [title] { left: 0 } td div { right: 0 } .urgent { bottom: 0 }";
  expect(inlineCss(html, css)).toBe(
    html
      .replace("<p>", '<p style="top: 0;">')
      .replace("<b", '<b style="left: 0;"')
      .replace("<div", '<div style="right: 0; bottom: 0;"'),
  );
});

test("a selector counts as much as without wrappers", () => {
  const html = `<i>${urgent("")}<p class="c">x</p></i>`;
  expect(inlineCss(html, "i > p { top: 0 } .c { top: 1px } i .c { left: 1px } p.c { left: 0 }")).toContain(
    'style="top: 1px; left: 0;"',
  );
});

test("an escaped character in a name is no combinator", () => {
  const html = `<i class="1x">${urgent("")}<b>x</b></i>`;
  expect(inlineCss(html, ".\\31 x b { top: 0 }")).toContain('<b style="top: 0;">');
});

test("an element whose end tag is left out wraps nothing", () => {
  const html = "<ul>{{#all}}<li><b>x</b>{{/all}}</ul>";
  expect(inlineCss(html, "li b { top: 0 }")).toBe(html.replace("<b", '<b style="top: 0;"'));
});
