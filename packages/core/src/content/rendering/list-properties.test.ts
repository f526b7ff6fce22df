import { expect, test } from "vitest";
import { compileTemplate } from "./compile-template.ts";

const html = (source: string) => compileTemplate(source, { escape: "html" });

test("a list has its items by their numbers and its length, and nothing else, and a text has neither", () => {
  const none = { output: "0", missing: [] };
  expect(html("{{#a.length}}{{a.length}}: {{a.1}}{{/a.length}}").render({ a: ["x", "y"] }).output).toBe(
    "2: y",
  );
  expect(html("{{a.length}}{{#a.length}}in{{/a.length}}").render({ a: [] })).toEqual(none);
  expect(html("{{#rows}}{{0}}/{{length}} {{/rows}}").render({ rows: [["x"], ["y", "z"]] }).output).toBe(
    "x/1 y/2 ",
  );
  for (const name of [
    "a.2",
    "a.-1",
    "a.at",
    "a.map",
    "a.constructor",
    "a.__proto__",
    "t.length",
    "t.0",
    "t.trim",
  ])
    expect(html(`{{${name}}}{{#${name}}}in{{/${name}}}`).render({ a: ["x", "y"], t: "text" })).toEqual({
      output: "",
      missing: [name],
    });
  // An object's length is what the caller calls so.
  expect(html("{{box.length}}{{#box}}{{length}}{{/box}}").render({ box: { length: "20 cm" } }).output).toBe(
    "20 cm20 cm",
  );
  expect(html("{{box.length}}").render({ box: {} }).missing).toEqual(["box.length"]);
});
