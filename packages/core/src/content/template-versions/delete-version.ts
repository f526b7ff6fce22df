import { z } from "zod";
import { uuidField } from "../../calls/input/uuid-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { findVersionOrThrow } from "./version-view.ts";

/** Deletes a version other than the active one (service.md, Template versions). */
export const deleteVersion = useCase({
  access: "templates:write",
  refusals: ["active_version"],
  input: z.strictObject({
    templateId: uuidField.describe("The template's id, a UUID."),
    versionId: uuidField.describe("The version's id, a UUID."),
  }),
  async run({ storage, workspace, emit }, { templateId, versionId }): Promise<void> {
    const { versionNumber } = await findVersionOrThrow(storage, workspace.id, { templateId, versionId });
    const outcome = await storage.templates.deleteVersion(workspace.id, templateId, versionId);
    if (outcome === "active") throw new ServiceError("active_version");
    if (outcome === "missing") throw new ServiceError("not_found");
    emit("template_version.deleted", {
      metadata: { template_id: templateId, version_id: versionId, version_number: versionNumber },
    });
  },
});
