import type { Role, Workspace, Workspaces } from "@posthorn/core/storage";
import { sql } from "kysely";
import { atomically } from "../../atomically.ts";
import { forOperator } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { countOf, listById } from "../../list-range.ts";
import { prepared } from "../../prepared.ts";
import { present } from "../../present.ts";
import { contains } from "../../search.ts";
import type { Row } from "../../tables.ts";
import { markContentsForPruning } from "../content/mark-contents-for-pruning.ts";
import { removeHandlesOf } from "../mail/attachments/mark-for-pruning.ts";
import { removeList } from "../mail/campaigns/remove-recipients.ts";
import { removeAll } from "../mail/emails/remove-old.ts";
import { markReferencesForPruning, references } from "../mail/mark-references-for-pruning.ts";
import { isHoldOf } from "../queue/email-queue/park.ts";
import { emptyWorkspace, removeDeliveries } from "./empty.ts";
import { listSendingWorkspaces } from "./sending-workspaces.ts";

const workspaceOf = (row: Row<"workspaces">): Workspace => ({
  id: row.id,
  name: row.name,
  externalId: present(row.external_id),
  isTrusted: Boolean(row.is_trusted),
  planId: present(row.plan_id),
  stylesheetSetId: present(row.stylesheet_set_id),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const listBound = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .selectFrom("workspaces as w")
    .innerJoin("settings as s", "s.workspace_id", "w.id")
    .select(["w.id", "w.is_trusted", "s.require_verified_domain"])
    .where((eb) => engine.anyOf(eb.ref("w.id"), ids, "bigint"))
    .where((eb) =>
      eb.or([eb("w.is_trusted", "=", sql.lit(false)), eb("s.require_verified_domain", "=", sql.lit(true))]),
    ),
);

const createListings = (db: Handle) =>
  ({
    async listFor(userId, slice) {
      const holder = `user ${userId}`;
      const mine = db
        .selectFrom("members")
        .innerJoin("workspaces", "workspaces.id", "members.workspace_id")
        .where("members.user_id", "=", userId);
      const found = mine.selectAll("workspaces").select("members.role");
      // Ordered by the member's row, whose index has the user's rows in this order.
      return listById(found, slice, {
        column: "members.workspace_id",
        toItem: (row) => ({ ...workspaceOf(row), role: row.role as Role }),
        count: () => countOf(mine, { holder }),
        holder,
      });
    },
    async list({ q }, slice) {
      const found = db
        .selectFrom("workspaces")
        .$if(q !== undefined, (workspaces) => workspaces.where(contains("name_key", q ?? "")));
      return listById(found.selectAll(), slice, {
        ...forOperator,
        toItem: workspaceOf,
        count: () => countOf(found, forOperator),
      });
    },
    async countOwnedBy(userId) {
      const { total } = await db
        .selectFrom("members")
        .select((select) => select.fn.countAll<number>().as("total"))
        .where("user_id", "=", userId)
        .where("role", "=", "owner")
        .executeTakeFirstOrThrow();
      return Number(total);
    },
  }) satisfies Partial<Workspaces>;

/** Records that the workspace's template versions dropped their references to contents. */
async function markVersionsForPruning(db: Handle, engine: Engine, workspaceId: number): Promise<void> {
  const rows = await db
    .selectFrom("template_versions as v")
    .innerJoin("templates as t", "t.id", "v.template_id")
    .select("v.content_id")
    .where("t.workspace_id", "=", workspaceId)
    .execute();
  await markContentsForPruning(
    db,
    engine,
    "content",
    rows.map(({ content_id }) => content_id),
  );
}

/** Deletes the lists of a workspace's campaigns, and records that these dropped their references to contents. */
async function emptyCampaignsOf(db: Handle, engine: Engine, workspaceId: number): Promise<void> {
  const campaigns = await db
    .selectFrom("campaigns")
    .select(["id", ...references])
    .where("workspace_id", "=", workspaceId)
    .execute();
  for (const { id } of campaigns) await removeList(db, engine, id);
  await markReferencesForPruning(db, engine, campaigns);
}

/**
 * Locks a workspace for its deletion, so that no e-mail comes between the removal of them and of its row: it would leave
 * behind all that has no foreign key. First come those changes that lock the workspace before their caller's row as a
 * member; then those that hold such a row, and whose new rows refer to the workspace; then what else refers to it. In any
 * other order, one of them and the deletion would wait for each other.
 */
async function lockForDeletion(
  db: Handle,
  engine: Engine,
  id: number,
): Promise<{ stylesheet_set_id: number | null } | undefined> {
  const workspace = db.selectFrom("workspaces").select("stylesheet_set_id").where("id", "=", id);
  const members = db
    .selectFrom("members")
    .select("user_id")
    .where("workspace_id", "=", id)
    .orderBy("user_id");
  await engine.forUpdate(workspace).execute();
  await engine.forRemoval(members).execute();
  return await engine.forRemoval(workspace).executeTakeFirst();
}

/** Workspaces. */
export const createWorkspacesRepository = (db: Handle, engine: Engine): Workspaces => {
  const byId = (id: number) => db.selectFrom("workspaces").selectAll().where("id", "=", id);
  return {
    ...createListings(db),
    listSending: (ids) => listSendingWorkspaces(db, engine, ids),
    async listBoundSenders(ids) {
      const rows = ids.length === 0 ? [] : await listBound(db, engine, { ids });
      return rows.map((row) => ({
        workspaceId: row.id,
        isTrusted: Boolean(row.is_trusted),
        requireVerifiedDomain: Boolean(row.require_verified_domain),
      }));
    },
    async insert({ name, isTrusted = false, createdAt }) {
      const row = await db
        .insertInto("workspaces")
        .values({
          name,
          name_key: name.toLowerCase(),
          is_trusted: isTrusted,
          created_at: createdAt,
          updated_at: createdAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return workspaceOf(row);
    },
    async insertUnlessThere({ name, externalId, createdAt }) {
      const row = await db
        .insertInto("workspaces")
        .values({
          name,
          name_key: name.toLowerCase(),
          external_id: externalId,
          is_trusted: true,
          created_at: createdAt,
          updated_at: createdAt,
        })
        .onConflict((taken) => taken.doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && workspaceOf(row);
    },
    async findByExternalId(externalId) {
      const row = await db
        .selectFrom("workspaces")
        .selectAll()
        .where("external_id", "=", externalId)
        .executeTakeFirst();
      return row && workspaceOf(row);
    },
    async find(id) {
      const row = await byId(id).executeTakeFirst();
      return row && workspaceOf(row);
    },
    async lock(id) {
      const row = await engine.forUpdate(byId(id)).executeTakeFirst();
      return row && workspaceOf(row);
    },
    hold: async (id) =>
      (await engine
        .forReference(db.selectFrom("workspaces").select("id").where("id", "=", id))
        .executeTakeFirst()) !== undefined,
    async update(id, changes) {
      if ("stylesheetSetId" in changes) {
        const before = await byId(id).executeTakeFirst();
        await markContentsForPruning(db, engine, "set", [before?.stylesheet_set_id ?? null]);
      }
      const row = await db
        .updateTable("workspaces")
        .set({
          ...(changes.name === undefined ? {} : { name: changes.name, name_key: changes.name.toLowerCase() }),
          ...(changes.isTrusted === undefined ? {} : { is_trusted: changes.isTrusted }),
          ...("planId" in changes ? { plan_id: changes.planId ?? null } : {}),
          ...("stylesheetSetId" in changes ? { stylesheet_set_id: changes.stylesheetSetId ?? null } : {}),
          updated_at: changes.updatedAt,
        })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row && workspaceOf(row);
    },
    async markDeleting(id, until) {
      // No key column: on PostgreSQL this lock lets sends refer to the row.
      await db.updateTable("workspaces").set({ deleting_until: until }).where("id", "=", id).execute();
    },
    empty: (workspaceId, limit, from) => emptyWorkspace(db, engine, { workspaceId, limit, from }),
    delete: (id) =>
      atomically(db, async (tx) => {
        const row = await lockForDeletion(tx, engine, id);
        if (row === undefined) return false;
        await removeAll(tx, engine, id);
        await emptyCampaignsOf(tx, engine, id);
        await markVersionsForPruning(tx, engine, id);
        await removeHandlesOf(tx, engine, id);
        await markContentsForPruning(tx, engine, "set", [row.stylesheet_set_id]);
        // Before the webhooks, as a worker locks them before the webhook whose failures it counts.
        await removeDeliveries(tx, engine, id);
        await tx.deleteFrom("workspaces").where("id", "=", id).execute();
        await tx.deleteFrom("parked_routes").where(isHoldOf(id)).execute();
        return true;
      }),
  };
};
