import { expect, test } from "vitest";
import { asTemplate, asWritten, bracket } from "../../../test/rewritten-links.ts";

test.each([
  [
    "the last </body>",
    "<body>a</body><!-- </body> -->b</BODY></html>",
    "<body>a</body><!-- </body> -->b*</BODY></html>",
  ],
  ["else the end", "<p>a</p>", "<p>a</p>*"],
  ["the end, if it is text", "<p>a</p> b < c <", "<p>a</p> b < c <*"],
  ["the end behind a comment", "a<!-- b --><!-->", "a<!-- b --><!-->*"],
  ["the end behind a style", "a<style>b</style >", "a<style>b</style >*"],
  ["the end behind what is no tag", "a</>b</ c><?d>e<![CDATA[f]]>g", "a</>b</ c><?d>e<![CDATA[f]]>g*"],
  [
    "an open tag",
    '<p>a</p>b<a href="https://a.example/>c</a>',
    '<p>a</p>b*<a href="https://a.example/>c</a>',
  ],
  ["a tag without an end", "<p>a</p>b<img src=x", "<p>a</p>b*<img src=x"],
  ["an open name", "a<b>c<i", "a<b>c*<i"],
  ["an open closing tag", "<p>a</p", "<p>a*</p"],
  ["an open closing tag with a blank", "<p>a</p ", "<p>a*</p "],
  ["an open comment", "<p>a</p>b<!-- c <p>d</p>", "<p>a</p>b*<!-- c <p>d</p>"],
  ["an empty open comment", "<p>a</p><!--", "<p>a</p>*<!--"],
  ["an open declaration", "<p>a</p><!doctype b", "<p>a</p>*<!doctype b"],
  ["an open instruction", "<p>a</p><?xml b", "<p>a</p>*<?xml b"],
  ["an open style", "a<style>b { c: d }", "a*<style>b { c: d }"],
  ["an open title", "a<title>b</b><p>c</p>", "a*<title>b</b><p>c</p>"],
])("what is added to the body is before %s", async (_, html, expected) => {
  const rewrite = { ...bracket, ending: "*" };
  expect(await asWritten(html, rewrite)).toBe(expected);
  expect(await asTemplate(html, {}, rewrite)).toBe(expected);
});

test("a </body> that a section leaves out, or a link behind it, loses nothing", async () => {
  const rewrite = { ...bracket, ending: "*" };
  expect(await asTemplate("a{{#x}}</body>{{/x}}b", {}, rewrite)).toBe("ab*");
  const either = "a{{^x}}</body>b{{/x}}{{#x}}c</body>d{{/x}}";
  expect(await asTemplate(either, {}, rewrite)).toBe("a*</body>b");
  expect(await asTemplate(either, { x: true }, rewrite)).toBe("ac*</body>d");
  const html = '<a href="https://a.example/">a</body><a href="https://b.example/">b';
  const expected = '<a href="[https://a.example/]">a*</body><a href="[https://b.example/]">b';
  expect(await asWritten(html, rewrite)).toBe(expected);
  expect(await asTemplate(html, {}, rewrite)).toBe(expected);
});
