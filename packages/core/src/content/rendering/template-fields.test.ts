import { expect, test } from "vitest";
import { type TemplateField, templateFieldsOf } from "./template-fields.ts";

/** Formats fields as text: `name!` is required, `name?` is not; `[]` opens a section, `.` prints its items. */
const describeFields = (fields: Map<string, TemplateField>): Record<string, unknown> =>
  Object.fromEntries(
    [...fields].map(([name, field]) => [
      `${name}${field.isRequired ? "!" : "?"}${field.isSection ? "[]" : ""}${field.printsItems ? "." : ""}`,
      describeFields(field.fields),
    ]),
  );

test.each([
  ["{{a}}{{{b.c}}}", { "a!": {}, "b!": { "c!": {} } }],
  // A name within a section may also be found outside it.
  ["{{#items}}{{title}}{{/items}}", { "items?[]": { "title?": {} }, "title?": {} }],
  ["{{#tags}}{{.}}{{/tags}}", { "tags?[].": {} }],
  ["{{^none}}{{a}}{{/none}}", { "none?": {}, "a?": {} }],
  ["{{#a.b}}{{c}}{{/a.b}}", { "a?": { "b?[]": { "c?": {} } }, "c?": {} }],
  ["{{#user}}{{name}}{{/user}}{{user.name}}", { "user![]": { "name!": {} }, "name?": {} }],
])("%s", (source, expected) => {
  expect(describeFields(templateFieldsOf([source]))).toEqual(expected);
});

test("fields of several templates are merged: what one of them prints is required", () => {
  expect(describeFields(templateFieldsOf(["{{#a}}{{b}}{{/a}}", "{{b}}"]))).toEqual({
    "a?[]": { "b?": {} },
    "b!": {},
  });
});

test("a name within many sections is listed in a limited number of places: their number doubled with each", () => {
  const names = Array.from({ length: 60 }, (_, at) => `s${at}`);
  const open = names.map((name) => `{{#${name}}}`).join("");
  const close = names.map((name) => `{{/${name}}}`).reverse();
  const fields = templateFieldsOf([`${open}{{x}}${close.join("")}`]);
  const count = (some: typeof fields): number =>
    [...some.values()].reduce((sum, field) => sum + 1 + count(field.fields), 0);
  expect(count(fields)).toBeLessThan(4_000);
  expect([...fields.keys()]).toContain("x");
});
