import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { findStylesheetOrThrow, type StylesheetView, viewStylesheet } from "./stylesheet-view.ts";

/** Returns one stylesheet (decisions §5). */
export const getStylesheet = useCase({
  access: "stylesheets:read",
  reads: true,
  input: z.strictObject({ stylesheetId: uuidField.describe("The stylesheet's id, a UUID.") }),
  async run({ storage, workspace }, { stylesheetId }): Promise<StylesheetView> {
    return viewStylesheet(await findStylesheetOrThrow(storage, workspace.id, stylesheetId));
  },
});
