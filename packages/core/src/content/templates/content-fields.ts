import { z } from "zod";
import type { ReadContext } from "../../calls/use-case.ts";
import { fieldError } from "../../errors.ts";
import type { NewContent } from "../../ports/storage.ts";
import { refusedInlining } from "../refused-inlining.ts";
import { compileContent } from "../rendering/compile-content.ts";
import { TemplateSyntaxError } from "../rendering/template-errors.ts";
import { maxTemplateSourceBytes } from "../rendering/template-limits.ts";
import { templateDataField } from "../template-data-field.ts";

const source = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= maxTemplateSourceBytes, "is longer than 512 KiB")
  .meta({ maxLength: maxTemplateSourceBytes });

/** Fields of a version's content, each optional (decisions §5). An empty text counts as absent. */
export const contentFields = {
  subject: z
    .string()
    .max(998, "is longer than 998 characters")
    .optional()
    .describe("The subject: one line of at most 998 characters. Its placeholders are not escaped."),
  html: source
    .optional()
    .describe(
      "The HTML part, at most 512 KiB. Its placeholders are escaped. HTML, text or both are required.",
    ),
  text: source.optional().describe("The text part, at most 512 KiB. Default: made from the HTML part."),
  sampleData: templateDataField
    .optional()
    .describe("Example values for previews, at most 256 KiB as JSON. Not used for sending."),
  note: z
    .string()
    .trim()
    .max(1000, "is longer than 1000 characters")
    .optional()
    .describe("A note on what changed, at most 1,000 characters."),
};

export type GivenContent = Partial<Record<"subject" | "html" | "text", string | undefined>>;

/** Returns the content with the given parts replaced. Throws `validation_failed` if neither html nor text remains. */
export function mergeContent(given: GivenContent, before?: NewContent): NewContent {
  const merged = {
    subject: given.subject ?? before?.subject ?? "",
    html: given.html ?? before?.html ?? "",
    text: given.text ?? before?.text ?? "",
  };
  if (merged.html === "" && merged.text === "") throw fieldError("html", "is required unless text is given");
  return merged;
}

/** Checks the syntax of the given parts. Throws `validation_failed` naming the part, with line and column. */
export function checkSyntax({ subject, html, text }: GivenContent): void {
  try {
    compileContent({ subject, html: html || undefined, text });
  } catch (error) {
    if (error instanceof TemplateSyntaxError) throw fieldError(error.field ?? "html", error.message);
    throw error;
  }
}

/**
 * Checks the given parts before they are stored: the syntax of each, and that the workspace's stylesheets can be
 * inlined into the html within the limits (decisions §5). Throws `validation_failed` naming the part.
 */
export async function checkContent(
  { storage, workspace, runtime }: Pick<ReadContext<"templates:write">, "storage" | "workspace" | "runtime">,
  given: GivenContent,
): Promise<void> {
  checkSyntax(given);
  const { html = "" } = given;
  if (html === "") return;
  const setId = (await storage.workspaces.find(workspace.id))?.stylesheetSetId;
  const set = setId === undefined ? undefined : await storage.contents.findStylesheetSet(setId);
  const inlined = await runtime.inlining.inline({ html, css: set?.css ?? "" }, workspace.id);
  // The template's own styles are left unchanged if no parser can read them.
  if (!inlined.ok && inlined.reason !== "failed") throw refusedInlining("html", inlined);
}
