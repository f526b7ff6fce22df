import { expect, test } from "vitest";
import { compileContent } from "./compile-content.ts";
import { createRenderBudget } from "./render-budget.ts";
import { TemplateLimitError } from "./template-errors.ts";

test("the three parts share one budget", () => {
  const part = `{{#a}}${"{{^b}}{{/b}}".repeat(20)}{{/a}}`;
  const data = { a: new Array(5_000).fill(0), b: true };
  const work = (error: unknown) => error instanceof TemplateLimitError && error.limit === "work";
  const budget = () => createRenderBudget(() => 0);
  expect(compileContent({ html: part }).render(data, budget()).html).toBe("");
  const thrice = compileContent({ subject: part, html: part, text: part });
  expect(() => thrice.render(data, budget())).toThrow(expect.toSatisfy(work));
});

test("escapes in html only, and merges missing names", () => {
  const content = compileContent({
    subject: "{{a}} {{x}}",
    html: "<b>{{a}}</b>{{y}}{{x}}",
    text: "{{a}}{{z}}",
  });
  expect(content.render({ a: "<&>" })).toEqual({
    subject: "<&> ",
    html: "<b>&lt;&amp;&gt;</b>",
    text: "<&>",
    missing: ["x", "y", "z"],
  });
});

test("absent parts render as null", () => {
  expect(compileContent({ html: "x" }).render({})).toEqual({
    subject: null,
    html: "x",
    text: null,
    missing: [],
  });
});

test.each(["subject", "html", "text"] as const)("a fault in %s names the part", (field) => {
  expect(() => compileContent({ [field]: "ab{{#c}}" })).toThrow(
    expect.objectContaining({ field, line: 1, column: 3 }),
  );
});
