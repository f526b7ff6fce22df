import { z } from "zod";
import { nameField } from "../../calls/input/name-field.ts";
import { orTaken } from "../../calls/or-taken.ts";
import { useCase } from "../../calls/use-case.ts";
import { checkCss, cssField, enforceStylesheets } from "./stylesheet-set.ts";
import { type StylesheetView, viewStylesheet } from "./stylesheet-view.ts";

/**
 * Creates a stylesheet, which is inlined into the workspace's e-mails from then on (service.md, Stylesheets; decisions
 * §5).
 */
export const createStylesheet = useCase({
  access: "stylesheets:write",
  refusals: ["rate_limited", "stylesheet_name_taken"],
  locksWorkspace: true,
  input: z.strictObject({
    name: nameField.describe(
      "The stylesheet's name, unique in the workspace: 1 to 100 characters on one line. Stylesheets are inlined in the order of their names.",
    ),
    css: cssField.describe(
      "CSS that is inlined into every template of the workspace, in the order of the stylesheets' names; at most 256 KiB.",
    ),
  }),
  prepare: (context, { css }) => checkCss(context, css),
  async run(context, { name, css }): Promise<StylesheetView> {
    const { storage, workspace, runtime, now, emit } = context;
    const stylesheet = await orTaken(
      storage.stylesheets.insert({
        id: runtime.newId(),
        workspaceId: workspace.id,
        name,
        css,
        createdAt: now,
      }),
      "stylesheet_name_taken",
    );
    await enforceStylesheets(context);
    emit("stylesheet.created", { metadata: { stylesheet_id: stylesheet.id, name } });
    return viewStylesheet(stylesheet);
  },
});
