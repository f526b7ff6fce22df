import type { Item, Reply } from "@posthorn/client";
import type { Api } from "../program/connection/api.ts";
import { listItems } from "../program/verbs/find-listed.ts";
import { stylesheets, templates } from "../program/verbs/listed-things.ts";

export type Template = Item<"GET /workspaces/current/templates">;
export type Version = Reply<"GET /workspaces/current/templates/{templateId}/versions/{versionId}">;
export type Stylesheet = Item<"GET /workspaces/current/stylesheets">;

/** A template with the content of its newest version, active or not. */
export interface StoredTemplate {
  template: Template;
  newest: Version;
}

/** Returns the newest version of a template. */
export async function getNewestVersion(
  { request }: Api,
  { id: templateId, active_version_id: activeId }: Template,
): Promise<Version> {
  const { data } = await request("GET /workspaces/current/templates/{templateId}/versions", {
    templateId,
    size: 1,
  });
  return await request("GET /workspaces/current/templates/{templateId}/versions/{versionId}", {
    templateId,
    versionId: data[0]?.id ?? activeId,
  });
}

/** Reads the workspace's templates by name, all or only the named ones. */
export async function readTemplates(
  api: Api,
  names?: ReadonlySet<string>,
): Promise<Map<string, StoredTemplate>> {
  const stored = new Map<string, StoredTemplate>();
  if (names?.size === 0) return stored;
  for (const template of await listItems(templates, api)) {
    if (names?.has(template.name) === false) continue;
    stored.set(template.name, { template, newest: await getNewestVersion(api, template) });
  }
  return stored;
}

/** Reads the workspace's stylesheets by name. */
export async function readStylesheets(api: Api): Promise<Map<string, Stylesheet>> {
  return new Map((await listItems(stylesheets, api)).map((stylesheet) => [stylesheet.name, stylesheet]));
}
