import { expect, test } from "vitest";
import { composeContent } from "../composition.ts";
import { compileContent } from "./compile-content.ts";
import { createRenderBudget } from "./render-budget.ts";
import { TemplateLimitError } from "./template-errors.ts";

test("the three parts share one budget", () => {
  const part = `{{#a}}${"{{^b}}{{/b}}".repeat(20)}{{/a}}`;
  const data = { a: new Array(5_000).fill(0), b: true };
  const work = (error: unknown) => error instanceof TemplateLimitError && error.limit === "work";
  const budget = () => createRenderBudget(() => 0);
  const once = composeContent({ subject: "", html: part, text: "" });
  expect(once.examine(data, budget()).missing).toEqual([]);
  expect(once.render(data).html).toBe("");
  const thrice = composeContent({ subject: part, html: part, text: part });
  expect(() => thrice.examine(data, budget())).toThrow(expect.toSatisfy(work));
  expect(() => thrice.render(data)).toThrow(TemplateLimitError);
});

test("escapes in html only, and merges missing names", () => {
  const content = composeContent({
    subject: "{{a}} {{x}}",
    html: "<b>{{a}}</b>{{y}}{{x}}",
    text: "{{a}}{{z}}",
  });
  expect(content.render({ a: "<&>" })).toEqual({
    subject: "<&> ",
    html: "<b>&lt;&amp;&gt;</b>",
    text: "<&>",
    missing: ["x", "y", "z"],
    missingInBody: ["y", "x", "z"],
  });
});

test("absent parts stay absent", () => {
  expect(compileContent({ html: "x", text: null })).toMatchObject({ subject: undefined, text: undefined });
});

test.each(["subject", "html", "text"] as const)("a fault in %s names the part", (field) => {
  expect(() => compileContent({ [field]: "ab{{#c}}" })).toThrow(
    expect.objectContaining({ field, line: 1, column: 3 }),
  );
});
