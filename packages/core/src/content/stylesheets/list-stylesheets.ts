import { z } from "zod";
import { type Page, pageOf, paging, sliceOf } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type StylesheetView, viewStylesheet } from "./stylesheet-view.ts";

/** Lists the workspace's stylesheets, newest first (service.md, Stylesheets). */
export const listStylesheets = useCase({
  access: "stylesheets:read",
  reads: true,
  input: z.strictObject(paging),
  async run({ storage, workspace }, asked): Promise<Page<StylesheetView>> {
    return pageOf(await storage.stylesheets.list(workspace.id, sliceOf(asked)), asked, viewStylesheet);
  },
});
