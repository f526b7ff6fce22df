import type { TemplateField } from "@posthorn/core/internal";

const head = `// Written by \`posthorn templates types\`: changes to it are lost.

/** What a placeholder prints. */
export type TemplateValue = string | number | boolean;

/** What opens a section: once for each item of a list, once for an object or true, never for nothing. */
export type TemplateSection<T> = readonly T[] | T | boolean | null;

`;

/** A template and the fields of its data that its version uses. */
export interface TypedTemplate {
  name: string;
  versionNumber: number;
  fields: ReadonlyMap<string, TemplateField>;
}

/** Prints a TypeScript module with the data that each template takes. Its text depends on the templates alone. */
export function printTypes(templates: readonly TypedTemplate[]): string {
  const sorted = [...templates].sort((one, other) => (one.name < other.name ? -1 : 1));
  const members = sorted.map(
    ({ name, versionNumber, fields }) =>
      `  /** Version ${versionNumber}. */\n  ${keyOf(name)}: ${indent(printFields(fields))};\n`,
  );
  return `${head}/** The data that each template takes, by the template's name. */\nexport interface TemplateData {\n${members.join("")}}\n`;
}

const indent = (text: string): string => text.replaceAll("\n", "\n  ");

/** A name that is not an identifier is written as a string. */
const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

function printFields(fields: ReadonlyMap<string, TemplateField>): string {
  if (fields.size === 0) return "Record<string, never>";
  const lines = [...fields].map(
    ([name, field]) => `  ${keyOf(name)}${field.isRequired ? "" : "?"}: ${indent(printField(field))};\n`,
  );
  return `{\n${lines.join("")}}`;
}

function printField({ isPrinted, isSection, printsItems, fields }: TemplateField): string {
  const object = fields.size === 0 ? [] : [printFields(fields)];
  const item = [...object, ...(printsItems ? ["TemplateValue"] : [])].join(" | ");
  const parts = [
    ...(isPrinted ? ["TemplateValue"] : []),
    ...(isSection ? [`TemplateSection<${item === "" ? "unknown" : item}>`] : object),
  ];
  return parts.length === 0 ? "unknown" : parts.join(" | ");
}
