import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCharacter } from "../../../test/any-character.ts";
import { compileTemplate } from "./compile-template.ts";
import { escapeHtml } from "./escape-html.ts";
import { createRenderBudget } from "./render-budget.ts";
import { TemplateLimitError, TemplateSyntaxError } from "./template-errors.ts";
import {
  maxTemplateLoopTurns,
  maxTemplateName,
  maxTemplateNesting,
  maxTemplateOutputBytes,
  maxTemplateSourceBytes,
  maxTemplateTags,
} from "./template-limits.ts";
import { joinParts } from "./text-parts.ts";

const html = (source: string) => compileTemplate(source, { escape: "html" });
const subject = (source: string) => compileTemplate(source, { escape: "none", singleLine: true });

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

function limitOf(act: () => unknown): string | undefined {
  const error = thrownBy(act);
  return error instanceof TemplateLimitError ? error.limit : undefined;
}

describe("syntax errors", () => {
  test.each([
    ["Hi\n  {{name", 2, 3],
    ["{{#a}}", 1, 1],
    ["{{/a}}", 1, 1],
    ["{{#a}}\n{{/b}}", 2, 1],
    ["x {{> part}}", 1, 3],
    ["x {{< part}}", 1, 3],
    ["{{ }}", 1, 1],
    ["{{{a}}", 1, 1],
    ["{{#if name}}{{/if name}}", 1, 1],
    ["{{a..b}}", 1, 1],
    ["{{.a}}", 1, 1],
    ["{{=a=}}", 1, 1],
  ])("%j is refused at line %i, column %i", (source, line, column) => {
    const error = thrownBy(() => html(source));
    expect(error).toBeInstanceOf(TemplateSyntaxError);
    expect(error).toMatchObject({ line, column });
  });
});

describe("missing names", () => {
  test("are listed once, in order, and only where they are printed", () => {
    const template = html(
      "{{b}}{{a.c}}{{{b}}}{{#no}}{{hidden}}{{/no}}{{^no}}{{shown}}{{/no}}{{#a}}{{x}}{{/a}}",
    );
    expect(template.render({ a: { c: null } })).toEqual({ output: "", missing: ["b", "a.c", "shown", "x"] });
  });
  test("do not include an empty string, zero or false", () => {
    expect(html("{{a}}|{{b}}|{{c}}").render({ a: "", b: 0, c: false })).toEqual({
      output: "|0|false",
      missing: [],
    });
  });
  test("include objects and lists, which can't be printed", () => {
    const hostile = { toString: () => "called", toJSON: () => "called" };
    expect(html("{{a}}{{b}}{{c}}").render({ a: hostile, b: [1], c: () => "called" })).toEqual({
      output: "",
      missing: ["a", "b", "c"],
    });
  });
});

test("names of prototypes resolve to nothing unless own", () => {
  const names = [
    "__proto__",
    "constructor",
    "toString",
    "constructor.name",
    "hasOwnProperty",
    "a.__proto__.x",
  ];
  for (const name of names) {
    expect(html(`{{${name}}}{{#${name}}}in{{/${name}}}`).render({ a: {} })).toEqual({
      output: "",
      missing: [name],
    });
  }
  const own = JSON.parse('{"__proto__": "p", "constructor": "c", "toString": "t"}');
  expect(html("{{__proto__}}{{constructor}}{{toString}}").render(own).output).toBe("pct");
});

describe("subjects", () => {
  test.each(["a\nb", "a\rb", "a\u2028b", "{{a}}\n", "{{!\n}}"])("%j is refused", (source) => {
    expect(thrownBy(() => subject(source))).toBeInstanceOf(TemplateSyntaxError);
  });
  test("a line break in the data becomes one space", () => {
    expect(subject("Hi {{a}}{{{b}}}!").render({ a: "x\r\nBcc: y", b: "\u2029\u0085\t" }).output).toBe(
      "Hi x Bcc: y !",
    );
  });
  test("no data can insert a line break", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (value) => {
        const { output } = subject("s {{a}}{{{a}}}").render({ a: `${value}\n` });
        expect(output).not.toMatch(/[\r\n\u2028\u2029\u0085\v\f]/);
      }),
    );
  });
});

/** A budget without a limit on time, as a slow machine must not reach that before the counted limits. */
const patient = () => createRenderBudget(() => 0);

describe("limits", () => {
  test("source", () => {
    expect(html("x".repeat(maxTemplateSourceBytes)).render({}).output.length).toBe(maxTemplateSourceBytes);
    expect(() => html("x".repeat(maxTemplateSourceBytes + 1))).toThrow(TemplateSyntaxError);
    expect(() => html("é".repeat(maxTemplateSourceBytes / 2 + 1))).toThrow(TemplateSyntaxError);
  });
  test("nesting", () => {
    const nest = (depth: number) => "{{#a}}".repeat(depth) + "x" + "{{/a}}".repeat(depth);
    expect(html(nest(maxTemplateNesting)).render({ a: 1 }).output).toBe("x");
    expect(() => html(nest(maxTemplateNesting + 1))).toThrow(TemplateSyntaxError);
  });
  test("tags", () => {
    expect(html("{{a}}".repeat(maxTemplateTags)).render({ a: 1 }).output.length).toBe(maxTemplateTags);
    expect(() => html("{{a}}".repeat(maxTemplateTags + 1))).toThrow(TemplateSyntaxError);
  });
  test("loop turns, all sections together", () => {
    const half = new Array(maxTemplateLoopTurns / 2).fill(1);
    expect(html("{{#a}}.{{/a}}{{#a}}.{{/a}}").render({ a: half }, patient()).output.length).toBe(
      maxTemplateLoopTurns,
    );
    expect(limitOf(() => html("{{#a}}.{{/a}}{{#a}}.{{/a}}").render({ a: [...half, 1] }, patient()))).toBe(
      "loop_turns",
    );
    const nested = "{{#a}}".repeat(20) + "{{/a}}".repeat(20);
    expect(limitOf(() => html(nested).render({ a: [1, 2, 3, 4] }, patient()))).toBe("loop_turns");
  });
  test("output, counted in UTF-8", () => {
    const block = "x".repeat(maxTemplateOutputBytes / 4);
    expect(html("{{a}}".repeat(4)).render({ a: block }).output.length).toBe(maxTemplateOutputBytes);
    expect(limitOf(() => html(`${"{{a}}".repeat(4)}x`).render({ a: block }))).toBe("output");
    expect(limitOf(() => html("{{a}}".repeat(4)).render({ a: `é${block.slice(1)}` }))).toBe("output");
    expect(
      limitOf(() => subject("{{a}}".repeat(9)).render({ a: "\n".repeat(block.length) }, patient())),
    ).toBe("output");
  });
  test("output, if only missing names are looked for", () => {
    const template = html("{{a}}".repeat(4) + "{{b}}");
    const quarter = maxTemplateOutputBytes / 4;
    expect(template.findMissing({ a: "x".repeat(quarter) })).toEqual(["b"]);
    expect(template.findMissing({ a: "é".repeat(quarter / 2) })).toEqual(["b"]);
    expect(limitOf(() => template.findMissing({ a: `é${"x".repeat(quarter - 1)}` }))).toBe("output");
    expect(limitOf(() => template.findMissing({ a: '"'.repeat(quarter / 5) }))).toBe("output");
  });
  test("number of names", () => {
    const name = "n".repeat(maxTemplateName);
    expect(html(`{{${name}}}`).render({ [name]: "x" }).output).toBe("x");
    expect(thrownBy(() => html(`\n{{#a.${name}}}`))).toMatchObject({ line: 2, column: 1 });
  });
  test("work: printing costs by length, up to the limit of an e-mail", () => {
    const list = new Array(1_000).fill("");
    const data = { list, name: "x".repeat(maxTemplateOutputBytes / 2) };
    const source = "{{#list}}{{^name}}{{/name}}{{/list}}{{name}}";
    const budget = patient();
    html(source).render(data, budget);
    expect(budget.work).toBeGreaterThan(data.name.length / 16);
    const parts = () => [1, 2, 3, 4, 5, 6, 7, 8].map(() => html(source).render(data, budget));
    expect(limitOf(parts)).toBe("work");
  });
  test("time, which is not measured for small e-mails", () => {
    let now = 0;
    const budget = () => createRenderBudget(() => (now += 60));
    const turns = (count: number) => ({ a: new Array(count).fill("") });
    html("{{#a}}{{.}}{{/a}}").render(turns(100), budget());
    expect(now).toBe(0);
    html("{{#a}}{{.}}{{/a}}").render(turns(900), budget());
    expect(limitOf(() => html("{{#a}}{{.}}{{/a}}").render(turns(2_000), budget()))).toBe("time");
  });
  test("work: tags that print nothing, in many loop turns", () => {
    const source = `${"{{#b}}".repeat(60)}{{#a}}${"{{x}}".repeat(1_800)}{{/a}}${"{{/b}}".repeat(60)}`;
    const data = { b: true, a: new Array(maxTemplateLoopTurns).fill(0) };
    expect(limitOf(() => html(source).render(data, patient()))).toBe("work");
  });
});

describe("properties", () => {
  test("missing names are those of rendering, and cost the same", () => {
    const piece = fc.constantFrom(
      "{{a}}",
      "{{{b}}}",
      "{{a.b}}",
      "{{#a}}",
      "{{/a}}",
      "{{^b}}",
      "{{/b}}",
      "{{.}}",
      "x",
    );
    const data = fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15, size: "max" }), data, (pieces, values) => {
        let template: ReturnType<typeof html>;
        try {
          template = html(pieces.join(""));
        } catch {
          return;
        }
        const [rendering, looking] = [patient(), patient()];
        expect(template.findMissing(values, looking)).toEqual(template.render(values, rendering).missing);
        expect(looking.work).toBe(rendering.work);
      }),
    );
  });
  test("no HTML character from the data gets through {{ }} unescaped", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const { output } = html("{{a}}{{#b}}{{.}}{{/b}}").render({ a: `${a}<"'>`, b: [b, `&${a}`] });
        expect(output).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      }),
    );
  });
  test("escaping is reversible", () => {
    const back: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(escapeHtml(text).replace(/&([^;]+);/g, (_, name: string) => back[name] ?? "?")).toBe(text);
      }),
    );
  });
  test("any source with any data renders or throws one of the two errors", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "{{",
        "}}",
        "{{{",
        "}}}",
        "{{#a}}",
        "{{/a}}",
        "{{^b}}",
        "{{/b}}",
        "{{.}}",
        "{{!",
        "{{=<% %>=}}",
      ),
      fc.constantFrom("{{a.b}}", "{{&c}}", "\n", "\r\n", " ", "<%a%>", "{{#.}}", "{{/.}}", "{{__proto__}}"),
      fc.string(),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30, size: "max" }),
        fc.jsonValue(),
        fc.boolean(),
        (pieces, data, singleLine) => {
          const error = thrownBy(() => {
            const template = compileTemplate(pieces.join(""), { escape: "html", singleLine });
            template.render({ a: data, b: data, c: data });
            template.render(data);
          });
          const expected =
            error === undefined ||
            error instanceof TemplateSyntaxError ||
            error instanceof TemplateLimitError;
          expect(expected).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});

test("renderParts separates constant text from values, and the parts join to the same text", () => {
  const template = html("<p>{{a}}</p>{{#list}}<i>{{.}}</i>{{/list}}{{^list}}none{{/list}}end");
  const filled = template.renderParts({ a: "<", list: [1, "</i>"] }).output;
  expect(filled.parts.filter((part) => typeof part === "string")).toEqual(["&lt;", "1", "&lt;/i&gt;"]);
  expect(joinParts(filled)).toBe("<p>&lt;</p><i>1</i><i>&lt;/i&gt;</i>end");
  const empty = template.renderParts({ a: "x" }).output;
  expect(joinParts(empty)).toBe("<p>x</p>noneend");
  expect(empty.literals).toBe(filled.literals);
});
