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
