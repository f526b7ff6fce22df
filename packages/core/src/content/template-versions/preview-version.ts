import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { refusedInlining } from "../refused-inlining.ts";
import { TemplateLimitError } from "../rendering/template-errors.ts";
import { templateDataField } from "../template-data-field.ts";
import { findVersionOrThrow } from "./version-view.ts";

/** A version as it would be sent. */
export interface PreviewedVersion {
  /** The subject with its values. */
  subject: string;
  /** Stylesheets inlined; empty where it has none. */
  html: string;
  /** The text part with its values; empty where it has none. */
  text: string;
  /** Names of placeholders that have no value. */
  missing: string[];
}

/**
 * A version as it would be sent, stylesheets inlined, with the names of placeholders that have no value. The version's sample data
 * stand in where none are given. Throws `template_render_failed` past a limit (decisions §5).
 */
export const previewVersion = useCase({
  access: "templates:preview",
  refusals: ["rate_limited", "template_render_failed"],
  reads: true,
  input: z.strictObject({
    templateId: z.uuid().describe("The template's id, a UUID."),
    versionId: z.uuid().describe("The version's id, a UUID."),
    templateData: templateDataField
      .optional()
      .describe("Values for the placeholders, at most 256 KiB as JSON. Default: the version's sample data."),
  }),
  async run({ storage, workspace, sending }, { templateData, ...key }): Promise<PreviewedVersion> {
    const version = await findVersionOrThrow(storage, workspace.id, key);
    const setId = (await storage.workspaces.find(workspace.id))?.stylesheetSetId;
    const set = setId === undefined ? undefined : await storage.contents.findStylesheetSet(setId);
    const composition = await sending.compositions.finished(
      { id: version.contentId, hash: version.contentHash },
      setId === undefined || set === undefined ? undefined : { id: setId, hash: set.hash },
      workspace.id,
    );
    if (composition === undefined) throw new ServiceError("not_found");
    // Shown without its styles, it would be taken for what is sent.
    if (composition.provisional) throw refusedInlining("html", composition.provisional);
    try {
      const { subject, html, text, missing } = composition.render(templateData ?? version.sampleData);
      return { subject, html, text, missing };
    } catch (error) {
      if (!(error instanceof TemplateLimitError)) throw error;
      throw new ServiceError("template_render_failed", { message: error.message, cause: error });
    }
  },
});
