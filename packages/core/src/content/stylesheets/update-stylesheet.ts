import { z } from "zod";
import { changesOf } from "../../calls/changes-of.ts";
import { atLeastOne } from "../../calls/input/at-least-one.ts";
import { nameField } from "../../calls/input/name-field.ts";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { orTaken } from "../../calls/or-taken.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { checkCss, cssField, enforceStylesheets } from "./stylesheet-set.ts";
import { findStylesheetOrThrow, type StylesheetView, viewStylesheet } from "./stylesheet-view.ts";

/** Changes a stylesheet's name or CSS. Later e-mails use the new one (service.md, Stylesheets). */
export const updateStylesheet = useCase({
  access: "stylesheets:write",
  refusals: ["rate_limited", "stylesheet_name_taken"],
  locksWorkspace: true,
  input: z
    .strictObject({
      stylesheetId: uuidField.describe("The stylesheet's id, a UUID."),
      name: nameField
        .optional()
        .describe("The stylesheet's name, unique in the workspace: 1 to 100 characters on one line."),
      css: cssField
        .optional()
        .describe(
          "CSS that is inlined into every template of the workspace, in the order of the stylesheets' names; at most 256 KiB.",
        ),
    })
    .apply(atLeastOne, "stylesheetId"),
  async prepare(context, { stylesheetId, css }) {
    await findStylesheetOrThrow(context.storage, context.workspace.id, stylesheetId);
    if (css !== undefined) await checkCss(context, css, stylesheetId);
  },
  async run(context, { stylesheetId, name, css }): Promise<StylesheetView> {
    const { storage, workspace, now, emit } = context;
    const before = await findStylesheetOrThrow(storage, workspace.id, stylesheetId);
    const changes = {
      ...(name === undefined || name === before.name ? {} : { name }),
      ...(css === undefined || css === before.css ? {} : { css }),
    };
    const fields = Object.keys(changes);
    if (fields.length === 0) return viewStylesheet(before);
    const updated = await orTaken(
      storage.stylesheets.update(workspace.id, stylesheetId, { ...changes, updatedAt: now }),
      "stylesheet_name_taken",
    );
    if (updated === undefined) throw new ServiceError("not_found");
    await enforceStylesheets(context);
    emit("stylesheet.updated", {
      metadata: {
        stylesheet_id: stylesheetId,
        name: updated.name,
        fields,
        changes: changesOf(before, { name: updated.name }),
      },
    });
    return viewStylesheet(updated);
  },
});
