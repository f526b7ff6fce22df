import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { type Page, pagesOf, paging } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { findTemplateOrThrow } from "../templates/template-view.ts";
import type { VersionView } from "./version-view.ts";

const pages = pagesOf("template versions");

/** Lists a template's versions, newest first (service.md, Templates). */
export const listVersions = useCase({
  access: "templates:read",
  reads: true,
  input: z.strictObject({
    templateId: uuidField.describe("The template's id, a UUID."),
    ...paging,
    // The contract asks for no page: whoever leaves it out gets as many as one may have.
    size: paging.size.default(100).describe("Number of items per page, 1 to 100. Default 100."),
  }),
  async run({ storage, workspace }, { templateId, ...asked }): Promise<Page<VersionView>> {
    await findTemplateOrThrow(storage, workspace.id, templateId);
    const found = await storage.templates.listVersions(workspace.id, templateId, pages.sliceOf(asked));
    return pages.pageOf(found, asked, (version) => version);
  },
});
