import type { Campaigns } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../engine.ts";
import { countOf, listById } from "../../list-range.ts";
import { contains } from "../../search.ts";
import { createFeeding } from "./campaigns/feeding.ts";
import { createRecipients } from "./campaigns/recipients.ts";
import { createCampaignRemoval } from "./campaigns/remove-old.ts";
import { removeList } from "./campaigns/remove-recipients.ts";
import { toCampaign, toCampaignRow, toChangedColumns, toListedCampaign } from "./campaigns/rows.ts";
import { markReferencesForPruning, references } from "./mark-references-for-pruning.ts";

/** Campaigns. */
export const createCampaignsRepository = (db: Handle, engine: Engine): Campaigns => ({
  ...createRecipients(db, engine),
  ...createFeeding(db, engine),
  ...createCampaignRemoval(db, engine),
  async insert(campaign) {
    const row = await db
      .insertInto("campaigns")
      .values(toCampaignRow(campaign))
      .returningAll()
      .executeTakeFirstOrThrow();
    return toCampaign(row);
  },
  async find(workspaceId, id) {
    const row = await one(db, workspaceId, id).executeTakeFirst();
    return row && toCampaign(row);
  },
  async lock(workspaceId, id) {
    const row = await engine.forUpdate(one(db, workspaceId, id)).executeTakeFirst();
    return row && toCampaign(row);
  },
  async list({ workspaceId, status, q }, slice) {
    const to = { holder: workspaceId };
    let query = db.selectFrom("campaigns").where("workspace_id", "=", workspaceId);
    if (status !== undefined) query = query.where("status", "=", status);
    if (q !== undefined) query = query.where(contains("name_key", q));
    return listById(query.selectAll(), slice, {
      ...to,
      toItem: toListedCampaign,
      count: () => countOf(query, to),
    });
  },
  async listGoing(startingBefore) {
    const rows = await db
      .selectFrom("campaigns")
      .selectAll()
      .where((is) =>
        is.or([
          is("status", "=", "running"),
          is.and([is("status", "=", "scheduled"), is("scheduled_at", "<", startingBefore)]),
        ]),
      )
      .orderBy("id")
      .execute();
    return rows.map(toListedCampaign);
  },
  async update(id, changes, now) {
    await markForPruning(db, engine, id);
    await db
      .updateTable("campaigns")
      .set({ ...toChangedColumns(changes), updated_at: now })
      .where("id", "=", id)
      .execute();
  },
  async delete(id) {
    await markForPruning(db, engine, id);
    await removeList(db, engine, id);
    await db.deleteFrom("campaigns").where("id", "=", id).execute();
  },
  async transition(id, from, to, now) {
    const rows = await db
      .updateTable("campaigns")
      .set({
        status: to.status,
        paused_reason: to.pausedReason ?? null,
        look_at: to.lookAt ?? null,
        updated_at: now,
        ...(to.startedAt === undefined ? {} : { started_at: to.startedAt }),
        ...(to.completedAt === undefined ? {} : { completed_at: to.completedAt }),
        ...(to.plan === undefined ? {} : { plan: JSON.stringify(to.plan) }),
        ...(to.judgedFrom === undefined ? {} : { judged_from: JSON.stringify(to.judgedFrom) }),
        ...(to.contentId === undefined ? {} : { content_id: to.contentId }),
        ...(to.templateVersionId === undefined ? {} : { template_version_id: to.templateVersionId }),
        ...("stylesheetSetId" in to ? { stylesheet_set_id: to.stylesheetSetId ?? null } : {}),
      })
      .where("id", "=", id)
      .where("status", "in", from)
      .returning("id")
      .execute();
    return rows.length > 0;
  },
});

const one = (db: Handle, workspaceId: number, id: number) =>
  db.selectFrom("campaigns").selectAll().where("workspace_id", "=", workspaceId).where("id", "=", id);

/** Records that the campaign's references may have been the last ones. */
async function markForPruning(db: Handle, engine: Engine, id: number): Promise<void> {
  const rows = await db.selectFrom("campaigns").select(references).where("id", "=", id).execute();
  await markReferencesForPruning(db, engine, rows);
}
