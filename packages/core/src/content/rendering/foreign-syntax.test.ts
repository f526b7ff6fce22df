import { expect, test } from "vitest";
import { compileTemplate } from "./compile-template.ts";

const html = (source: string) => compileTemplate(source, { escape: "html" });

test.each([
  ["{{#if a.b}}x{{/if}}", "{{#if}} is not supported: write {{#a.b}}…{{/a.b}} instead (line 1, column 1)."],
  ["{{#each a}}{{/each}}", "{{#each}} is not supported: write {{#a}}…{{/a}} instead (line 1, column 1)."],
  [
    "{{#unless a}}{{/unless}}",
    "{{#unless}} is not supported: write {{^a}}…{{/a}} instead (line 1, column 1).",
  ],
  ["{{#a}}\n{{else}}{{/a}}", /^\{\{else\}\} is not supported: .*\{\{\^name\}\} .*\(line 2, column 1\)\.$/],
  ["{{else if b}}", /^\{\{else\}\} is not supported/],
  ["{{#a}}{{this}}{{/a}}", "{{this}} is not supported: write {{.}} instead (line 1, column 7)."],
  ["{{{this.b}}}", "{{this.b}} is not supported: write {{b}} instead (line 1, column 1)."],
  ["{{@index}}", /^\{\{@index\}\} is not supported/],
  ["{{~a~}}", /^\{\{~ and ~\}\} are not supported/],
  ["{{#a ~}}{{/a}}", /^\{\{~ and ~\}\} are not supported/],
  ['{{a|default:"x"}}', /filters are not supported \(line 1, column 1\)/],
])("%j of other services says what to write", (source, message) => {
  expect(() => html(source)).toThrow(message);
});

test("names that other template languages reserve are names in sections", () => {
  expect(html("{{#else}}{{if}}{{/else}}").render({ else: { if: 1 } }).output).toBe("1");
});
