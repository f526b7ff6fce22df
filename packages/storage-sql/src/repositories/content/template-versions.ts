import {
  type ListedTemplateVersion,
  type NewTemplateVersion,
  readStoredObject,
  type Templates,
  type TemplateVersion,
} from "@posthorn/core/storage";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { answerRange, countOf, rangeOf } from "../../list-range.ts";
import { markContentsForPruning } from "./mark-contents-for-pruning.ts";

/** Inserts a version's row and returns its key. */
export const insertVersionRow = async (
  db: Handle,
  templateKey: number,
  number: number,
  version: NewTemplateVersion,
): Promise<number> => {
  const { id } = await db
    .insertInto("template_versions")
    .values({
      uuid: version.id,
      template_id: templateKey,
      number,
      note: version.note,
      sample_data: JSON.stringify(version.sampleData),
      content_id: version.contentId,
      created_at: version.createdAt,
      updated_at: version.createdAt,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

/** Until the transaction ends, no other adds, changes, activates or deletes a version of it. */
export const lockTemplate = (db: Handle, engine: Engine, workspaceId: number, id: string) =>
  engine
    .forUpdate(
      db
        .selectFrom("templates")
        .select(["id", "active_version_id"])
        .where("workspace_id", "=", workspaceId)
        .where("uuid", "=", id),
    )
    .executeTakeFirst();

/** Locks a template, and reads one of its versions: until the transaction ends, it stays as it was read. */
export async function lockVersion(
  db: Handle,
  engine: Engine,
  { workspaceId, templateId, versionId }: { workspaceId: number; templateId: string; versionId: string },
): Promise<{ id: number; content_id: number; isActive: boolean; template: number } | undefined> {
  const template = await lockTemplate(db, engine, workspaceId, templateId);
  if (template === undefined) return undefined;
  const version = await db
    .selectFrom("template_versions")
    .select(["id", "content_id"])
    .where("template_id", "=", template.id)
    .where("uuid", "=", versionId)
    .executeTakeFirst();
  return (
    version && { ...version, isActive: version.id === template.active_version_id, template: template.id }
  );
}

const ofTemplate = (db: Handle, workspaceId: number, templateId: string) =>
  db
    .selectFrom("template_versions as v")
    .innerJoin("templates as t", "t.id", "v.template_id")
    .where("t.workspace_id", "=", workspaceId)
    .where("t.uuid", "=", templateId);

const versions = (db: Handle, workspaceId: number, templateId: string) =>
  ofTemplate(db, workspaceId, templateId)
    .innerJoin("contents as c", "c.id", "v.content_id")
    .selectAll("v")
    .select(["t.uuid as template_uuid", "t.active_version_id", "c.hash", "c.subject", "c.html", "c.text"]);

type VersionRow = Awaited<ReturnType<ReturnType<typeof versions>["executeTakeFirstOrThrow"]>>;

const versionOf = (row: VersionRow): TemplateVersion => ({
  id: row.uuid,
  templateId: row.template_uuid,
  versionNumber: row.number,
  note: row.note,
  sampleData: readStoredObject(row.sample_data),
  contentId: row.content_id,
  contentHash: row.hash,
  content: { subject: row.subject, html: row.html, text: row.text },
  isActive: row.active_version_id === row.id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const findVersion = async (db: Handle, workspaceId: number, templateId: string, versionId: string) => {
  const row = await versions(db, workspaceId, templateId).where("v.uuid", "=", versionId).executeTakeFirst();
  return row && versionOf(row);
};

type VersionMethods = Pick<
  Templates,
  "insertVersion" | "findVersion" | "listVersions" | "updateVersion" | "deleteVersion"
>;

/** The part of the templates repository for versions. */
export const createTemplateVersions = (db: Handle, engine: Engine): VersionMethods => ({
  insertVersion: (workspaceId, templateId, version) =>
    atomically(db, async (db) => {
      const template = await db
        .updateTable("templates")
        .set((is) => ({ next_version: is("next_version", "+", 1) }))
        .where("workspace_id", "=", workspaceId)
        .where("uuid", "=", templateId)
        .returning(["id", "next_version"])
        .executeTakeFirst();
      if (!template) return undefined;
      await insertVersionRow(db, template.id, template.next_version - 1, version);
      return findVersion(db, workspaceId, templateId, version.id);
    }),
  findVersion: (workspaceId, templateId, versionId) => findVersion(db, workspaceId, templateId, versionId),
  async listVersions(workspaceId, templateId, slice) {
    const to = { holder: workspaceId };
    const all = ofTemplate(db, workspaceId, templateId);
    const listed = all
      .innerJoin("contents as c", "c.id", "v.content_id")
      .select(["v.id", "v.uuid", "v.number", "v.note", "v.created_at", "v.updated_at"])
      .select(["t.active_version_id", "c.subject"]);
    const rows = await rangeOf(listed, slice, { column: "v.number", ...to }).execute();
    return answerRange(slice, rows, {
      keyOf: ({ number }) => number,
      toItem: (row): ListedTemplateVersion => ({
        id: row.uuid,
        versionNumber: row.number,
        subject: row.subject,
        note: row.note,
        isActive: row.active_version_id === row.id,
        createdAt: row.created_at,
        updatedAt: row.updated_at,
      }),
      count: () => countOf(all, to),
    });
  },
  updateVersion: (workspaceId, templateId, versionId, { note, sampleData, contentId, updatedAt }) =>
    atomically(db, async (db) => {
      const version = await lockVersion(db, engine, { workspaceId, templateId, versionId });
      if (version === undefined) return undefined;
      if (contentId !== undefined && contentId !== version.content_id)
        await markContentsForPruning(db, engine, "content", [version.content_id]);
      await db
        .updateTable("template_versions")
        .set({
          note,
          sample_data: sampleData && JSON.stringify(sampleData),
          content_id: contentId,
          updated_at: updatedAt,
        })
        .where("id", "=", version.id)
        .execute();
      return findVersion(db, workspaceId, templateId, versionId);
    }),
  deleteVersion: (workspaceId, templateId, versionId) =>
    atomically(db, async (db) => {
      const version = await lockVersion(db, engine, { workspaceId, templateId, versionId });
      if (version === undefined) return "missing";
      if (version.isActive) return "active";
      await markContentsForPruning(db, engine, "content", [version.content_id]);
      await db.deleteFrom("template_versions").where("id", "=", version.id).execute();
      return "deleted";
    }),
});
