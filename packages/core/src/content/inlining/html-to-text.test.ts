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

test("a title is no text, also in html without a body", () => {
  expect(htmlToText("<head><title>Order</title></head><p>Hi</p>")).toBe("Hi");
});
