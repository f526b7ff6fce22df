import type { ReadContext } from "../../calls/use-case.ts";
import { unknownTemplate } from "../../content/unknown-template.ts";
import { ServiceError } from "../../errors.ts";
import type { DraftSource } from "./email-draft.ts";

/** Finds the version that a send requests by its template's name: the active one, or the given one of that template. */
export async function findVersionSource(
  context: ReadContext<"api_key">,
  asked: {
    template: string;
    templateVersionId: string | undefined;
    data: Record<string, unknown>;
    allowMissing: boolean;
    subject: string | undefined;
  },
): Promise<DraftSource> {
  const { template, templateVersionId: wanted, ...how } = asked;
  const workspaceId = context.workspace.id;
  const active = await context.acceptance.lookups.findActiveVersion({ workspaceId, name: template });
  if (active === undefined)
    return missing(
      unknownTemplate(template, await context.acceptance.lookups.listTemplateNames(workspaceId)),
    );
  if (wanted === undefined || wanted === active.versionId)
    return { kind: "version", version: active, ...how };
  const version = await context.storage.templates.findVersion(workspaceId, active.templateId, wanted);
  if (version === undefined)
    return missing(new ServiceError("not_found", { message: "The template has no such version." }));
  return { kind: "version", version: { ...version, templateName: template, versionId: version.id }, ...how };
}

const missing = (reason: ServiceError): DraftSource => ({ kind: "missing", reason });
