import type { Template, Templates } from "@posthorn/core/storage";
import { atomically } from "../../atomically.ts";
import { brief } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { countOf, listById } from "../../list-range.ts";
import { prepared } from "../../prepared.ts";
import { markContentsForPruning } from "./mark-contents-for-pruning.ts";
import { createTemplateVersions, insertVersionRow, lockTemplate, lockVersion } from "./template-versions.ts";

const templatesWithActive = (db: Handle) =>
  db
    .selectFrom("templates")
    .innerJoin("template_versions", "template_versions.id", "templates.active_version_id")
    .selectAll("templates")
    .select("template_versions.uuid as active_version_uuid");

type TemplateRow = Awaited<ReturnType<ReturnType<typeof templatesWithActive>["executeTakeFirstOrThrow"]>>;

const templateOf = (row: TemplateRow): Template => ({
  id: row.uuid,
  workspaceId: row.workspace_id,
  name: row.name,
  description: row.description,
  defaultLanguage: row.default_language,
  activeVersionId: row.active_version_uuid,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const findTemplate = async (db: Handle, workspaceId: number, id: string) => {
  const row = await templatesWithActive(db)
    .where("templates.workspace_id", "=", workspaceId)
    .where("templates.uuid", "=", id)
    .executeTakeFirst();
  return row && templateOf(row);
};

/**
 * Runs on each send by template name. A request names a few templates, mostly of one workspace, so both columns are
 * passed as lists.
 */
const findActive = prepared(
  (db, { workspaceIds, names }: { workspaceIds: number[]; names: string[] }, engine) =>
    db
      .selectFrom("templates")
      .innerJoin("template_versions", "template_versions.id", "templates.active_version_id")
      .innerJoin("contents", "contents.id", "template_versions.content_id")
      .select([
        "templates.workspace_id as workspaceId",
        "templates.uuid as templateId",
        "templates.name as templateName",
        "template_versions.uuid as versionId",
        "template_versions.content_id as contentId",
        "contents.hash as contentHash",
      ])
      .where((is) => engine.anyOf(is.ref("templates.workspace_id"), workspaceIds, "bigint"))
      .where((is) => engine.anyOf(is.ref("templates.name"), names, "text")),
  brief,
);

const createChanges = (db: Handle, engine: Engine) =>
  ({
    insert: (template, firstVersion) =>
      atomically(db, async (db) => {
        const { id } = await db
          .insertInto("templates")
          .values({
            uuid: template.id,
            workspace_id: template.workspaceId,
            name: template.name,
            description: template.description,
            default_language: template.defaultLanguage,
            next_version: 2,
            created_at: template.createdAt,
            updated_at: template.createdAt,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        const active_version_id = await insertVersionRow(db, id, 1, firstVersion);
        await db.updateTable("templates").set({ active_version_id }).where("id", "=", id).execute();
        return { ...template, activeVersionId: firstVersion.id, updatedAt: template.createdAt };
      }),
    update: (workspaceId, id, { name, description, defaultLanguage, updatedAt }) =>
      atomically(db, async (db) => {
        await db
          .updateTable("templates")
          .set({ name, description, default_language: defaultLanguage, updated_at: updatedAt })
          .where("workspace_id", "=", workspaceId)
          .where("uuid", "=", id)
          .execute();
        return findTemplate(db, workspaceId, id);
      }),
    delete: (workspaceId, id) =>
      atomically(db, async (tx) => {
        const template = await lockTemplate(tx, engine, workspaceId, id);
        if (template === undefined) return false;
        const contents = await tx
          .selectFrom("template_versions")
          .select("content_id")
          .where("template_id", "=", template.id)
          .execute();
        await markContentsForPruning(
          tx,
          engine,
          "content",
          contents.map(({ content_id }) => content_id),
        );
        await tx.deleteFrom("templates").where("id", "=", template.id).execute();
        return true;
      }),
    activateVersion: (workspaceId, templateId, versionId, now) =>
      atomically(db, async (db) => {
        const version = await lockVersion(db, engine, { workspaceId, templateId, versionId });
        if (version === undefined) return undefined;
        await db
          .updateTable("templates")
          .set({ active_version_id: version.id, updated_at: now })
          .where("id", "=", version.template)
          .execute();
        return findTemplate(db, workspaceId, templateId);
      }),
  }) satisfies Partial<Templates>;

/** Templates; the active version is one column of the template's row. */
export const createTemplatesRepository = (db: Handle, engine: Engine): Templates => ({
  ...createChanges(db, engine),
  ...createTemplateVersions(db, engine),
  find: (workspaceId, id) => findTemplate(db, workspaceId, id),
  async list(workspaceId, slice) {
    const to = { holder: workspaceId };
    const all = templatesWithActive(db).where("templates.workspace_id", "=", workspaceId);
    return listById(all, slice, {
      column: "templates.id",
      toItem: templateOf,
      count: () => countOf(db.selectFrom("templates").where("workspace_id", "=", workspaceId), to),
      ...to,
    });
  },
  async findActive(wanted) {
    if (wanted.length === 0) return [];
    const workspaceIds = [...new Set(wanted.map(({ workspaceId }) => workspaceId))];
    const names = [...new Set(wanted.map(({ name }) => name))];
    const found = await findActive(db, engine, { workspaceIds, names });
    if (workspaceIds.length === 1) return found;
    const asked = new Set(wanted.map(({ workspaceId, name }) => `${workspaceId} ${name}`));
    return found.filter(({ workspaceId, templateName }) => asked.has(`${workspaceId} ${templateName}`));
  },
});
