import type { Posthorn } from "@posthorn/core";
import { listTemplates, type Template } from "../program/find-named.ts";
import { operatorCall } from "../program/operator-call.ts";

export type Version = Awaited<ReturnType<Posthorn["templateVersions"]["get"]>>;
export type Stylesheet = Awaited<ReturnType<Posthorn["stylesheets"]["get"]>>;

/** A template and what its newest version says, active or not. */
export interface StoredTemplate {
  template: Template;
  newest: Version;
}

/** The newest version of a template. */
export async function getNewestVersion(
  posthorn: Posthorn,
  workspaceId: number,
  template: Template,
): Promise<Version> {
  const call = operatorCall(workspaceId);
  const versions = await posthorn.templateVersions.list({ templateId: template.id }, call);
  const newest = versions.reduce((one, other) => (other.versionNumber > one.versionNumber ? other : one));
  return await posthorn.templateVersions.get({ templateId: template.id, versionId: newest.id }, call);
}

/** The workspace's templates by name, all or those named. */
export async function readTemplates(
  posthorn: Posthorn,
  workspaceId: number,
  names: readonly string[] = [],
): Promise<Map<string, StoredTemplate>> {
  const stored = new Map<string, StoredTemplate>();
  for (const template of await listTemplates(posthorn, workspaceId)) {
    if (names.length > 0 && !names.includes(template.name)) continue;
    stored.set(template.name, { template, newest: await getNewestVersion(posthorn, workspaceId, template) });
  }
  return stored;
}

/** The workspace's stylesheets by name. */
export async function readStylesheets(
  posthorn: Posthorn,
  workspaceId: number,
): Promise<Map<string, Stylesheet>> {
  const stored = new Map<string, Stylesheet>();
  for (let page = 1; ; page += 1) {
    const { items, total } = await posthorn.stylesheets.list({ page, size: 100 }, operatorCall(workspaceId));
    for (const stylesheet of items) stored.set(stylesheet.name, stylesheet);
    if (items.length === 0 || page * 100 >= total) return stored;
  }
}
