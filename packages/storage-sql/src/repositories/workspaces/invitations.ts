import { addressKey, type Invitation, type InvitationStatus, type Invitations } from "@posthorn/core/storage";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { present } from "../../present.ts";

const invitationsWithNames = (db: Handle) =>
  db
    .selectFrom("invitations")
    .innerJoin("workspaces", "workspaces.id", "invitations.workspace_id")
    .selectAll("invitations")
    .select("workspaces.name as workspace_name");

type InvitationRow = Awaited<ReturnType<ReturnType<typeof invitationsWithNames>["executeTakeFirstOrThrow"]>>;

const invitationOf = (row: InvitationRow): Invitation => ({
  id: row.id,
  workspaceId: row.workspace_id,
  workspaceName: row.workspace_name,
  email: row.email,
  role: row.role as Invitation["role"],
  status: row.status as InvitationStatus,
  invitedBy: present(row.invited_by),
  expiresAt: row.expires_at,
  createdAt: row.created_at,
});

const findById = async (db: Handle, id: number) => {
  const row = await invitationsWithNames(db).where("invitations.id", "=", id).executeTakeFirst();
  return row && invitationOf(row);
};

const createChanges = (db: Handle) =>
  ({
    insert: (invitation) =>
      atomically(db, async (db) => {
        const { id } = await db
          .insertInto("invitations")
          .values({
            workspace_id: invitation.workspaceId,
            email: invitation.email,
            email_key: addressKey(invitation.email),
            role: invitation.role,
            status: "pending",
            token_digest: invitation.tokenDigest,
            invited_by: invitation.invitedBy ?? null,
            expires_at: invitation.expiresAt,
            created_at: invitation.createdAt,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        return invitationOf(
          await invitationsWithNames(db).where("invitations.id", "=", id).executeTakeFirstOrThrow(),
        );
      }),
    async settle(id, status, now) {
      const settled = await db
        .updateTable("invitations")
        .set({ status, settled_at: now })
        .where("id", "=", id)
        .where("status", "=", "pending")
        .where("expires_at", ">", now)
        .returning("id")
        .execute();
      return settled.length > 0;
    },
    delete: (workspaceId, id) =>
      atomically(db, async (db) => {
        const invitation = await findById(db, id);
        const deleted = await db
          .deleteFrom("invitations")
          .where("workspace_id", "=", workspaceId)
          .where("id", "=", id)
          .where("status", "=", "pending")
          .returning("id")
          .execute();
        return deleted.length > 0 ? invitation : undefined;
      }),
    async deleteExpiredFor(workspaceId, email, now) {
      await db
        .deleteFrom("invitations")
        .where("workspace_id", "=", workspaceId)
        .where("email_key", "=", addressKey(email))
        .where("status", "=", "pending")
        .where("expires_at", "<=", now)
        .execute();
    },
    async deletePendingBy(workspaceId, userId) {
      const deleted = await db
        .deleteFrom("invitations")
        .where("workspace_id", "=", workspaceId)
        .where("invited_by", "=", userId)
        .where("status", "=", "pending")
        .returning("id")
        .execute();
      return deleted.length;
    },
  }) satisfies Partial<Invitations>;

/** Invitations to a workspace. */
export const createInvitationsRepository = (db: Handle, _engine: Engine): Invitations => {
  const pending = (now: number) =>
    invitationsWithNames(db)
      .where("invitations.status", "=", "pending")
      .where("invitations.expires_at", ">", now)
      .orderBy("invitations.id", "desc");
  return {
    ...createChanges(db),
    find: (id) => findById(db, id),
    async findByToken(tokenDigest) {
      const row = await invitationsWithNames(db)
        .where("invitations.token_digest", "=", tokenDigest)
        .executeTakeFirst();
      return row && invitationOf(row);
    },
    async listPending(workspaceId, now) {
      const rows = await pending(now).where("invitations.workspace_id", "=", workspaceId).execute();
      return rows.map(invitationOf);
    },
    async listPendingFor(email, now) {
      const rows = await pending(now).where("invitations.email_key", "=", addressKey(email)).execute();
      return rows.map(invitationOf);
    },
  };
};
