import { z } from "zod";
import { type Page, pageFromOne, pageOf, sliceFromOne } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { type StylesheetView, viewStylesheet } from "./stylesheet-view.ts";

/** The workspace's stylesheets, newest first (service.md, Stylesheets). */
export const listStylesheets = useCase({
  access: "stylesheets:read",
  reads: true,
  input: z.strictObject(pageFromOne),
  async run({ storage, workspace }, paging): Promise<Page<StylesheetView>> {
    const { items, total } = await storage.stylesheets.list(workspace.id, sliceFromOne(paging));
    return pageOf({ items: items.map(viewStylesheet), total }, paging);
  },
});
