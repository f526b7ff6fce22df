import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { ServiceError } from "../errors.ts";
import { everyScope } from "../ports/storage.ts";
import { findEither } from "./find-either.ts";
import { scopeField, suppressedField } from "./suppression-fields.ts";
import { type SuppressionView, viewSuppression } from "./suppression-view.ts";

/** Input fields that identify a suppression. */
export const suppressionName = z.strictObject({
  email: suppressedField,
  scope: scopeField
    .default(everyScope)
    .describe("The scope of the suppression: `*`, or the name of a list. Default `*`."),
});

/** Returns one suppression of an address or a domain, by its scope (platform.md P8). */
export const getSuppression = useCase({
  access: "suppressions:read",
  reads: true,
  input: suppressionName,
  async run({ storage, workspace, now }, { email, scope }): Promise<SuppressionView> {
    const found = await findEither(storage, { workspaceId: workspace.id, scope, ...email, now });
    if (found === undefined)
      throw new ServiceError("not_found", { message: "There is no such suppression." });
    return viewSuppression(found);
  },
});
