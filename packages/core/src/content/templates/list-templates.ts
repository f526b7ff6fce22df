import { z } from "zod";
import { type Page, pagesOf, paging } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type TemplateView, viewTemplate } from "./template-view.ts";

const pages = pagesOf("templates");

/** Lists the workspace's templates, newest first (service.md, Templates). */
export const listTemplates = useCase({
  access: "templates:read",
  reads: true,
  input: z.strictObject(paging),
  async run({ storage, workspace }, asked): Promise<Page<TemplateView>> {
    return pages.pageOf(
      await storage.templates.list(workspace.id, pages.sliceOf(asked)),
      asked,
      viewTemplate,
    );
  },
});
