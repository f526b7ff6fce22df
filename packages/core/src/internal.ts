/** Exports for this project's own packages beyond the public API. They may change with any version. */
export { parseInput } from "./calls/parse-input.ts";
export { takesTime } from "./calls/time-fields.ts";
export { type TemplateField, templateFieldsOf } from "./content/rendering/template-fields.ts";
export { domainProblems } from "./domains/rules/verdict.ts";
export { errorMessages } from "./errors.ts";
export { webhookEventTypes } from "./events.ts";
export type { LineForm, ReadLine } from "./files/line-form.ts";
export { readLines } from "./files/read-lines.ts";
export { type ListPart, splitListFile } from "./files/split-list-file.ts";
export { type ExplainedFinding, type ExplainedReport, explainReport } from "./inbound/explain-report.ts";
export { createAttachment } from "./mail/attachments/attachment-content.ts";
export { permissions } from "./permissions.ts";
export { silentLogger } from "./ports/logger.ts";
export { emailStatuses } from "./ports/storage/emails.ts";
export { inexactFault } from "./rules/inexact-numbers.ts";
export { JsonError, parseJson } from "./rules/json.ts";
export { useCases } from "./use-cases.ts";
export { verbWords } from "./verbs/words.ts";
