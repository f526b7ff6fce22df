import { z } from "zod";
import { type Page, pageFromOne, pageOf, sliceFromOne } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type TemplateView, viewTemplate } from "./template-view.ts";

/** The workspace's templates, newest first (service.md, Templates). */
export const listTemplates = useCase({
  access: "templates:read",
  reads: true,
  input: z.strictObject(pageFromOne),
  async run({ storage, workspace }, paging): Promise<Page<TemplateView>> {
    const { items, total } = await storage.templates.list(workspace.id, sliceFromOne(paging));
    return pageOf({ items: items.map(viewTemplate), total }, paging);
  },
});
