import { addressKey, type Member, type Members, type Role } from "@posthorn/core/storage";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { prepared } from "../../prepared.ts";

const membersWithUsers = (db: Handle) =>
  db
    .selectFrom("members")
    .innerJoin("users", "users.id", "members.user_id")
    .select([
      "members.id",
      "members.workspace_id",
      "members.user_id",
      "users.name",
      "users.email",
      "members.role",
      "members.created_at",
    ]);

type MemberRow = Awaited<ReturnType<ReturnType<typeof membersWithUsers>["executeTakeFirstOrThrow"]>>;

const memberOf = (row: MemberRow): Member => ({
  id: row.id,
  workspaceId: row.workspace_id,
  userId: row.user_id,
  name: row.name,
  email: row.email,
  role: row.role as Role,
  createdAt: row.created_at,
});

interface Membership {
  workspaceId: number;
  userId: number;
}

const roleQuery = (db: Handle, { workspaceId, userId }: Membership) =>
  db
    .selectFrom("members")
    .select("role")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId);

/** Runs on each request that names a workspace. */
const findRole = prepared((db, membership: Membership) => roleQuery(db, membership));
const lockRole = prepared((db, membership: Membership, engine) => engine.forShare(roleQuery(db, membership)));

const createChanges = (db: Handle) =>
  ({
    async insert({ workspaceId, userId, role, createdAt }) {
      return atomically(db, async (db) => {
        const { id } = await db
          .insertInto("members")
          .values({ workspace_id: workspaceId, user_id: userId, role, created_at: createdAt })
          .returning("id")
          .executeTakeFirstOrThrow();
        return memberOf(await membersWithUsers(db).where("members.id", "=", id).executeTakeFirstOrThrow());
      });
    },
    async setRole(workspaceId, userId, role) {
      const changed = await db
        .updateTable("members")
        .set({ role })
        .where("workspace_id", "=", workspaceId)
        .where("user_id", "=", userId)
        .where("role", "!=", "owner")
        .returning("id")
        .execute();
      return changed.length > 0;
    },
    async delete(workspaceId, userId) {
      const deleted = await db
        .deleteFrom("members")
        .where("workspace_id", "=", workspaceId)
        .where("user_id", "=", userId)
        .where("role", "!=", "owner")
        .returning("id")
        .execute();
      return deleted.length > 0;
    },
  }) satisfies Partial<Members>;

const createTransfer = (db: Handle, engine: Engine): Members["transferOwnership"] => {
  const transfer = async (db: Handle, workspaceId: number, from: number, to: number) => {
    const roles = await engine
      .forUpdate(
        db
          .selectFrom("members")
          .select(["user_id", "role"])
          .where("workspace_id", "=", workspaceId)
          .where("user_id", "in", [from, to])
          // A fixed order, so that two transfers can't deadlock.
          .orderBy("id"),
      )
      .execute();
    const isOwner = roles.some((member) => member.user_id === from && member.role === "owner");
    if (from === to || !isOwner || roles.length < 2) return false;
    const setRole = (userId: number, role: Role) =>
      db
        .updateTable("members")
        .set({ role })
        .where("workspace_id", "=", workspaceId)
        .where("user_id", "=", userId)
        .execute();
    await setRole(from, "admin");
    await setRole(to, "owner");
    return true;
  };
  return (workspaceId, from, to) => atomically(db, (db) => transfer(db, workspaceId, from, to));
};

/** Members of workspaces and their roles. */
export const createMembersRepository = (db: Handle, engine: Engine): Members => ({
  ...createChanges(db),
  transferOwnership: createTransfer(db, engine),
  async list(workspaceId, after, limit) {
    const rows = await membersWithUsers(db)
      .where("members.workspace_id", "=", workspaceId)
      .where("members.user_id", ">", after)
      .orderBy("members.user_id")
      .limit(limit)
      .execute();
    return rows.map(memberOf);
  },
  async find(workspaceId, userId) {
    const row = await membersWithUsers(db)
      .where("members.workspace_id", "=", workspaceId)
      .where("members.user_id", "=", userId)
      .executeTakeFirst();
    return row && memberOf(row);
  },
  async findByEmail(workspaceId, email) {
    const row = await membersWithUsers(db)
      .where("members.workspace_id", "=", workspaceId)
      .where("users.email_key", "=", addressKey(email))
      .executeTakeFirst();
    return row && memberOf(row);
  },
  async findOwner(workspaceId) {
    const row = await membersWithUsers(db)
      .where("members.workspace_id", "=", workspaceId)
      .where("members.role", "=", "owner")
      .executeTakeFirst();
    return row && memberOf(row);
  },
  async roleOf(workspaceId, userId) {
    const [row] = await findRole(db, engine, { workspaceId, userId });
    return row?.role as Role | undefined;
  },
  async lockRole(workspaceId, userId) {
    const [row] = await lockRole(db, engine, { workspaceId, userId });
    return row?.role as Role | undefined;
  },
});
