import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { findVersionOrThrow, type VersionDetails, viewVersionDetails } from "./version-view.ts";

/** Returns a version with its content (decisions §5). */
export const getVersion = useCase({
  access: "templates:read",
  reads: true,
  input: z.strictObject({
    templateId: uuidField.describe("The template's id, a UUID."),
    versionId: uuidField.describe("The version's id, a UUID."),
  }),
  async run({ storage, workspace }, key): Promise<VersionDetails> {
    return viewVersionDetails(await findVersionOrThrow(storage, workspace.id, key));
  },
});
