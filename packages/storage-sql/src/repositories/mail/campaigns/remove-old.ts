import type { Campaigns, OldCampaigns, RecipientPlace } from "@posthorn/core/storage";
import { type SqlBool, sql } from "kysely";
import { atomically } from "../../../atomically.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { markReferencesForPruning, noReferences } from "../mark-references-for-pruning.ts";
import { lastOfNext } from "./last-of-next.ts";
import { removeRecipients } from "./remove-recipients.ts";

/**
 * Condition that nothing will need the list of a campaign `c` for feeding or counting. A cancelled one is looked at until
 * its last recipients are counted as cancelled, which may be long after: nothing is while the queue is paused. By
 * literals the planner sees that the index of ended campaigns applies.
 */
export const isEnded = sql<SqlBool>`c.status in ('completed', 'cancelled') and c.look_at is null`;

/** Campaigns of a workspace that ended before a time. */
const endedBefore = (db: Handle, { workspaceId, before }: Omit<OldCampaigns, "limit">) =>
  db
    .selectFrom("campaigns as c")
    .where("c.workspace_id", "=", workspaceId)
    .where(isEnded)
    .where("c.updated_at", "<", before);

/** Deletion of old campaigns by retention. */
export const createCampaignRemoval = (
  db: Handle,
  engine: Engine,
): Pick<Campaigns, "forgetContents" | "deleteRecipients"> => ({
  forgetContents: async (old) => {
    // Of most workspaces there is none: to learn that, no transaction begins.
    const found = await unforgotten(db, old).select("c.id").limit(1).executeTakeFirst();
    if (found === undefined) return 0;
    return await atomically(db, async (tx) => {
      const campaign = await engine
        .skipLocked(
          unforgotten(tx, old)
            .select(["c.id", "c.content_id", "c.stylesheet_set_id", "c.attachment_set_id"])
            .select(["c.forgotten_position", "c.updated_at"])
            .orderBy("c.updated_at")
            .limit(1),
        )
        .executeTakeFirst();
      if (campaign === undefined) return 0;
      const emptied = await emptyRecipients(tx, campaign, old.limit);
      if (emptied > 0) return emptied;
      await tx
        .updateTable("campaigns")
        .set({ ...noReferences, forgotten_at: campaign.updated_at })
        .where("id", "=", campaign.id)
        .execute();
      await markReferencesForPruning(tx, engine, [campaign]);
      return 1;
    });
  },
  async deleteRecipients(old, from = { campaignId: 0, position: 0 }) {
    const campaignId = await nextWithList(db, old, from);
    if (campaignId === undefined) return { removed: 0, next: undefined };
    const after = campaignId === from.campaignId ? from.position : 0;
    const { removed, next = Number.MAX_SAFE_INTEGER } = await removeRecipients(
      db,
      campaignId,
      old.limit,
      after,
    );
    return { removed, next: { campaignId, position: next } };
  },
});

/** The first of a workspace's old campaigns that has recipients behind a place. */
async function nextWithList(
  db: Handle,
  old: Omit<OldCampaigns, "limit">,
  { campaignId, position }: RecipientPlace,
): Promise<number | undefined> {
  const found = await endedBefore(db, old)
    .select("c.id")
    .where("c.id", ">=", campaignId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("campaign_recipients as r")
          .select("r.position")
          .whereRef("r.campaign_id", "=", "c.id")
          .where(
            "r.position",
            ">",
            sql<number>`case when c.id = ${campaignId} then cast(${position} as bigint) else 0 end`,
          ),
      ),
    )
    .orderBy("c.id")
    .limit(1)
    .executeTakeFirst();
  return found?.id;
}

/** Those whose values and contents are there. */
const unforgotten = (db: Handle, old: Omit<OldCampaigns, "limit">) =>
  endedBefore(db, old).where("c.forgotten_at", "is", null);

/** Deletes the next range of the list by position, so that no row is scanned twice. */
async function emptyRecipients(
  db: Handle,
  { id, forgotten_position: after }: { id: number; forgotten_position: number },
  limit: number,
): Promise<number> {
  const emptied = await db
    .updateTable("campaign_recipients")
    .set({ template_data: "{}" })
    .where("campaign_id", "=", id)
    .where("position", ">", after)
    .where("position", "<=", lastOfNext(db, id, { after, limit }))
    .returning("position")
    .execute();
  const last = Math.max(after, ...emptied.map(({ position }) => position));
  await db.updateTable("campaigns").set({ forgotten_position: last }).where("id", "=", id).execute();
  return emptied.length;
}
