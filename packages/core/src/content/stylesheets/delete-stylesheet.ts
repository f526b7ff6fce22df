import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { enforceStylesheets } from "./stylesheet-set.ts";

/** Deletes a stylesheet, which is no longer inlined (service.md, Stylesheets). */
export const deleteStylesheet = useCase({
  access: "stylesheets:write",
  refusals: ["rate_limited"],
  locksWorkspace: true,
  input: z.strictObject({ stylesheetId: uuidField.describe("The stylesheet's id, a UUID.") }),
  async run(context, { stylesheetId }): Promise<void> {
    const { storage, workspace, emit } = context;
    const deleted = await storage.stylesheets.delete(workspace.id, stylesheetId);
    if (deleted === undefined)
      throw new ServiceError("not_found", { message: "There is no such stylesheet." });
    await enforceStylesheets(context);
    emit("stylesheet.deleted", { metadata: { stylesheet_id: stylesheetId, name: deleted.name } });
  },
});
