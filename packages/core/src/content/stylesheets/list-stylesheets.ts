import { z } from "zod";
import { type Page, pagesOf, paging } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type StylesheetView, viewStylesheet } from "./stylesheet-view.ts";

const pages = pagesOf("stylesheets");

/** Lists the workspace's stylesheets, newest first (service.md, Stylesheets). */
export const listStylesheets = useCase({
  access: "stylesheets:read",
  reads: true,
  input: z.strictObject(paging),
  async run({ storage, workspace }, asked): Promise<Page<StylesheetView>> {
    return pages.pageOf(
      await storage.stylesheets.list(workspace.id, pages.sliceOf(asked)),
      asked,
      viewStylesheet,
    );
  },
});
