import { stemOf } from "./file-names.ts";
import type { LocalTemplate } from "./local-template.ts";
import type { StoredTemplate } from "./read-workspace.ts";

/** A template with all fields set, in which form both sides are compared. */
export type FullTemplate = Required<LocalTemplate>;

export const fullTemplateOf = ({ template, newest }: StoredTemplate): FullTemplate => ({
  html: newest.html,
  text: newest.text,
  subject: newest.subject,
  description: template.description,
  defaultLanguage: template.default_language,
  sampleData: newest.sample_data,
});

/** Returns the contents of a template's files, by file name; an empty part has no file. */
export function filesOf(name: string, whole: FullTemplate): Map<string, string> {
  const files = new Map<string, string>();
  const stem = stemOf(name);
  if (whole.html !== "") files.set(`${stem}.html`, whole.html);
  if (whole.text !== "") files.set(`${stem}.txt`, whole.text);
  const details = {
    subject: whole.subject,
    description: whole.description,
    default_language: whole.defaultLanguage,
    sample_data: whole.sampleData,
  };
  files.set(`${stem}.json`, `${JSON.stringify(details, null, 2)}\n`);
  return files;
}
