import { z } from "zod";
import { onlyPage, type Page } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { findTemplateOrThrow } from "../templates/template-view.ts";
import { type VersionView, viewVersion } from "./version-view.ts";

/** Lists a template's versions, newest first (service.md, Templates). */
export const listVersions = useCase({
  access: "templates:read",
  reads: true,
  input: z.strictObject({ templateId: z.uuid().describe("The template's id, a UUID.") }),
  async run({ storage, workspace }, { templateId }): Promise<Page<VersionView>> {
    await findTemplateOrThrow(storage, workspace.id, templateId);
    return onlyPage((await storage.templates.listVersions(workspace.id, templateId)).map(viewVersion));
  },
});
