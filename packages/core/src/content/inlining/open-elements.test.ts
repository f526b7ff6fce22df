import { expect, test } from "vitest";
import { inlineCss } from "./inline-css.ts";

test.each([
  '<div class="a"><table><tr><td></div><b>x</b></td></tr></table></div>',
  '<div class="a"><table><tr><td></span></li></DIV ><b>x</b></td></tr></table></div>',
  '<div class="a"><center><table><tr><td><div>y</div></div>{{#c}}</div>{{/c}}<b>x</b></td></tr></table></center></div>',
  '<table class="a"><tr><td></tbody>{{#c}}</div>{{/c}}<b>x</b></td></tr></table>',
  '<table class="a"><tr><td><table><tr><td>y</td></tr></tbody></table><b>x</b></td></tr></table>',
  '<div class="a"><p>y</div></p><div class="a"><img></img><b>x</b></div>',
])("an end tag of what is not open in its cell ends nothing: %s", (html) => {
  expect(inlineCss(html, ".a b { top: 0 }")).toBe(html.replace("<b", '<b style="top: 0;"'));
});

test("an end tag ends what was left open within", () => {
  const html = "<div class=a><ul><li></div><b>x</b>";
  expect(inlineCss(html, ".a b, li b { top: 0 }")).toBe(html);
});

test("many of them take linear time", () => {
  const html = `<b>x</b>${"<br>".repeat(9)}${"<p>".repeat(10_000)}${"</i>".repeat(10_000)}`;
  expect(inlineCss(html, "b { top: 0 }")).toContain('<b style="top: 0;">');
});
