import type { Stylesheet, Stylesheets } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../engine.ts";
import { countOf, listById } from "../../list-range.ts";
import type { Row } from "../../tables.ts";

const stylesheetOf = (row: Row<"stylesheets">): Stylesheet => ({
  id: row.uuid,
  workspaceId: row.workspace_id,
  name: row.name,
  css: row.css,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** UTF-8 sorts by code points; JavaScript strings and some databases' texts don't. */
const byCodePoint = (a: Stylesheet, b: Stylesheet) =>
  Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));

/** Stylesheets of a workspace. */
export const createStylesheetsRepository = (db: Handle, _engine: Engine): Stylesheets => {
  const ofWorkspace = (workspaceId: number) =>
    db.selectFrom("stylesheets").where("workspace_id", "=", workspaceId);
  return {
    async insert({ id, workspaceId, name, css, createdAt }) {
      const row = await db
        .insertInto("stylesheets")
        .values({
          uuid: id,
          workspace_id: workspaceId,
          name,
          css,
          created_at: createdAt,
          updated_at: createdAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return stylesheetOf(row);
    },
    async find(workspaceId, id) {
      const row = await ofWorkspace(workspaceId).selectAll().where("uuid", "=", id).executeTakeFirst();
      return row && stylesheetOf(row);
    },
    async list(workspaceId, slice) {
      const to = { holder: workspaceId };
      const all = ofWorkspace(workspaceId);
      return listById(all.selectAll(), slice, { ...to, toItem: stylesheetOf, count: () => countOf(all, to) });
    },
    async listAll(workspaceId) {
      const rows = await ofWorkspace(workspaceId).selectAll().execute();
      return rows.map(stylesheetOf).sort(byCodePoint);
    },
    async update(workspaceId, id, { updatedAt, name, css }) {
      const row = await db
        .updateTable("stylesheets")
        .set({ name, css, updated_at: updatedAt })
        .where("workspace_id", "=", workspaceId)
        .where("uuid", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row && stylesheetOf(row);
    },
    async delete(workspaceId, id) {
      const row = await db
        .deleteFrom("stylesheets")
        .where("workspace_id", "=", workspaceId)
        .where("uuid", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row && stylesheetOf(row);
    },
  };
};
