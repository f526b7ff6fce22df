import { templateFieldsOf } from "@posthorn/core/internal";
import { expect, test } from "vitest";
import { printTypes } from "./print-types.ts";

const typesOf = (name: string, source: string): string =>
  printTypes([{ name, versionNumber: 3, fields: templateFieldsOf([source]) }]).replace(
    /[\s\S]*(?=export interface)/,
    "",
  );

test("generates a module from placeholders, sections and names that are not identifiers", () => {
  expect(
    typesOf(
      "order-placed",
      "{{name}} {{#lines}}{{title}}{{#tags}}{{.}}{{/tags}}{{/lines}}{{shop.name}}{{^gift}}!{{/gift}}",
    ),
  ).toBe(`export interface TemplateData {
  /** Version 3. */
  "order-placed": {
    name: TemplateValue;
    lines?: TemplateSection<{
      title?: TemplateValue;
      tags?: TemplateSection<TemplateValue>;
    }>;
    title?: TemplateValue;
    tags?: TemplateSection<TemplateValue>;
    shop: {
      name: TemplateValue;
    };
    gift?: unknown;
  };
}
`);
});

test("escapes template names in the module", () => {
  expect(typesOf('x"; }\nimport "evil', "{{a*/}}")).toContain('"x\\"; }\\nimport \\"evil": {');
  expect(typesOf("empty", "no placeholder")).toContain("empty: Record<string, never>;");
});
