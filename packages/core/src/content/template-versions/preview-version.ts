import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { refusedInlining } from "../refused-inlining.ts";
import { TemplateLimitError } from "../rendering/template-errors.ts";
import { templateDataField } from "../template-data-field.ts";
import { findVersionOrThrow } from "./version-view.ts";

/** A version rendered as it would be sent. */
export interface PreviewedVersion {
  /** The rendered subject. */
  subject: string;
  /** The html part with stylesheets inlined; empty if there is none. */
  html: string;
  /** The rendered text part; empty if there is none. */
  text: string;
  /** Names of placeholders that have no value. */
  missing: string[];
}

/**
 * Renders a version as it would be sent, with stylesheets inlined, and returns the names of placeholders that have no
 * value. Default values: the version's sample data. Throws `template_render_failed` past a limit (decisions §5).
 */
export const previewVersion = useCase({
  access: "templates:preview",
  refusals: ["rate_limited", "template_render_failed"],
  reads: true,
  input: z.strictObject({
    templateId: uuidField.describe("The template's id, a UUID."),
    versionId: uuidField.describe("The version's id, a UUID."),
    templateData: templateDataField
      .optional()
      .describe("Values for the placeholders, at most 256 KiB as JSON. Default: the version's sample data."),
  }),
  async run(
    { storage, workspace, acceptance, yieldThread },
    { templateData, ...key },
  ): Promise<PreviewedVersion> {
    const version = await findVersionOrThrow(storage, workspace.id, key);
    const setId = (await storage.workspaces.find(workspace.id))?.stylesheetSetId;
    const set = setId === undefined ? undefined : await storage.contents.findStylesheetSet(setId);
    const composition = await acceptance.contentCache.finished(
      { id: version.contentId, hash: version.contentHash },
      setId === undefined || set === undefined ? undefined : { id: setId, hash: set.hash },
      workspace.id,
    );
    if (composition === undefined) throw new ServiceError("not_found");
    // A preview without its styles would look different from what is sent.
    if (composition.provisional) throw refusedInlining("html", composition.provisional);
    // Many at once would hold the thread together.
    await yieldThread();
    try {
      const { subject, html, text, missing } = composition.render(templateData ?? version.sampleData);
      return { subject, html, text, missing };
    } catch (error) {
      if (!(error instanceof TemplateLimitError)) throw error;
      throw new ServiceError("template_render_failed", { message: error.message, cause: error });
    }
  },
});
