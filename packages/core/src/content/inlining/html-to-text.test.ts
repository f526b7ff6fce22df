import { expect, test } from "vitest";
import { compileTemplate } from "../rendering/compile-template.ts";
import { htmlToText } from "./html-to-text.ts";

test("braces that are text in the html are text in the text part, and no tags", () => {
  const html = "<p>Write &#123;&#123;name}} or {<b>{</b>#x}} or &lbrace;{{name}}, {{name}}</p>";
  const { render } = compileTemplate(htmlToText(html), { escape: "none" });
  expect(render({ name: "Ada" })).toEqual({ output: "Write {{name}} or {{#x}} or {Ada, Ada", missing: [] });
});

test("where the html sets delimiters of its own, braces stay as they are", () => {
  const html = "<p>{{=<% %>=}}<% name %> {{x}}</p>";
  expect(htmlToText(html)).toBe("{{=<% %>=}}<% name %> {{x}}");
});

test("a link whose text is its address has it once, also if a value brings both", () => {
  expect(htmlToText('<a href="{{url}}">{{url}}</a>, <a href="{{a}}">{{b}}</a>')).toBe(
    "{{url}}, {{b}} [{{a}}]",
  );
});

test("a title is no text, also in html without a body, nor is what a template or frame holds", () => {
  expect(htmlToText("<template><p>a</p></template><iframe>b</iframe><p>c</p>")).toBe("c");
  expect(htmlToText("<head><title>Order</title></head><p>Hi</p>")).toBe("Hi");
});

test("an image is the words that stand for it, which may be all that an e-mail has", () => {
  const image = '<a href="https://a.example/"><img src="sale.png" alt="Sale: {{percent}}  &percnt;"></a>';
  expect(htmlToText(image)).toBe("Sale: {{percent}} % [https://a.example/]");
  expect(htmlToText('a<img src="b.png" alt=""><img src="c.png">d')).toBe("ad");
});

test("what its own style hides from every reader, such as a preheader, is no text", () => {
  const hidden = (style: string) => htmlToText(`<div style="${style}">a {{b}}<p>c</p></div><p>d</p>`);
  expect(hidden("color: red; Display : none !important")).toBe("d");
  for (const style of ["x-display: none", "display: none; display: block", "display: none{{style}}", "{{c}}"])
    expect(hidden(style)).toBe("a {{b}}\n\nc\n\nd");
  expect(htmlToText('<p {{#e}}style="display: none"{{/e}}>a</p>')).toBe("a");
});

test("what the attribute `hidden` hides is no text, unless its own style shows it, or a value decides", () => {
  expect(htmlToText('<p hidden>a</p><p HIDDEN="">b</p><p>c</p><p hidden="until-found">d</p>')).toBe("c");
  for (const shown of [
    'hidden style="display: block"',
    "{{#e}}hidden{{/e}}",
    "data-hidden",
    'title=" hidden "',
  ])
    expect(htmlToText(`<p ${shown}>a</p>`)).toBe("a");
});

test("cells without end tags are apart", () => {
  expect(htmlToText("<table><tr><td>a<th>b<td>c<tr><th>d<th>e</table>")).toBe("a b c\nd e");
});

test("what an element hides in some e-mails only is text, and a hidden element in a section is none", () => {
  const wrapped = '{{^vip}}<div style="display: none">{{/vip}}Half price.{{^vip}}</div>{{/vip}}<p>c</p>';
  expect(htmlToText(wrapped)).toBe("{{^vip}}\n{{/vip}}Half price.{{^vip}}\n{{/vip}}\n\nc");
  const preheader = '{{#preview}}<div style="display: none">{{preview}}</div>{{/preview}}<p>c</p>';
  expect(htmlToText(preheader)).toBe("{{#preview}}{{/preview}}\n\nc");
});

test("rows and paragraphs without text are one empty line together", () => {
  const spaces =
    "<table><tr><td>&nbsp;</td></tr><tr><td>&#8202;</td></tr></table><p></p><p>&nbsp;</p><div> </div>";
  expect(htmlToText(`<p>a</p>${spaces}<p>b<br>c</p>`)).toBe("a\n\nb\nc");
  const spacer = "<table><tr><td>&#xA0;</td></tr><tr><td>&zwj;</td></tr></table>";
  expect(htmlToText(`${spacer}<p>a</p>${spacer}<p>b</p>${spacer}`)).toBe("a\n\nb");
});

test("blocks of every kind are lines of their own", () => {
  const html =
    "<center>a</center><center>b</center><address>c</address><dl><dt>d<dd>e</dl><details><summary>f</summary>g</details>";
  expect(htmlToText(html)).toBe("a\nb\nc\nd\ne\nf\ng");
});

test("a section that begins with a line break keeps its items apart", () => {
  const text = (html: string) =>
    compileTemplate(htmlToText(html), { escape: "none" }).render({ list: ["a", "b"], yes: true }).output;
  expect(text("<h1>x</h1>{{#list}}<br>{{.}}{{/list}}")).toBe("x\n\n\na\nb");
  expect(text("<div>{{#list}}<br>{{.}}{{/list}}</div>")).toBe("\na\nb");
  expect(text("x{{#list}}<br>{{.}}{{/list}}")).toBe("x\na\nb");
  expect(text("{{#list}}<div>{{.}}</div>{{/list}}y")).toBe("a\nb\ny");
  expect(text("{{#yes}}<br>{{#list}}<br>{{.}}{{/list}}!{{/yes}}")).toBe("\n\na\nb!");
});

test("a section of paragraphs leaves one empty line, whether it is there or not", () => {
  const text = (html: string) =>
    compileTemplate(htmlToText(html), { escape: "none" }).render({ list: ["a", "b"], yes: true }).output;
  const sections =
    "<p>x</p>{{#no}}<p>y</p>{{/no}}<p>1</p>{{#no}}<p>y</p>{{/no}}<p>2</p>{{#list}}<p>{{.}}</p>{{/list}}<p>c</p>";
  expect(text(sections)).toBe("x\n\n1\n\n2\n\na\n\nb\n\nc");
  expect(text("{{#yes}}<p>a</p>{{/yes}}<p>c</p>")).toBe("a\n\nc");
  expect(text("<p>x</p>{{#list}}<p>{{.}}</p>{{.}}{{/list}}")).toBe("x\n\n\na\n\na\nb\n\nb");
});

test("a list has numbers where values do not decide how many items there are", () => {
  expect(htmlToText('<ol start="3"><li>{{a}}</li><li>b<ol><li>c</li></ol></li></ol>')).toBe(
    " 3. {{a}}\n 4. b\n    1. c",
  );
  const { render } = compileTemplate(htmlToText("<ol>{{#list}}<li>{{.}}</li>{{/list}}</ol>"), {
    escape: "none",
  });
  expect(render({ list: ["a", "b"] }).output.trimEnd()).toBe(" * a\n * b");
});
