import { addressKey, type NewUser, type Role, type User, type Users } from "@posthorn/core/storage";
import { atomically } from "../../atomically.ts";
import { forOperator } from "../../deferred.ts";
import type { Engine, Handle } from "../../engine.ts";
import { countOf, listById } from "../../list-range.ts";
import { present } from "../../present.ts";
import { contains } from "../../search.ts";
import type { Row } from "../../tables.ts";

export const userOf = (row: Row<"users">): User => ({
  id: row.id,
  name: row.name,
  email: row.email,
  externalId: present(row.external_id),
  passwordHash: present(row.password_hash),
  emailVerifiedAt: present(row.email_verified_at),
  isAdmin: Boolean(row.is_admin),
  isVouchedFor: Boolean(row.is_vouched_for),
  planId: present(row.plan_id),
  twoFactorEnabledAt: present(row.two_factor_enabled_at),
  totpSecret: present(row.totp_secret),
  pendingTotpSecret: present(row.pending_totp_secret),
  pendingTotpExpiresAt: present(row.pending_totp_expires_at),
  createdAt: row.created_at,
});

const rowOf = (user: NewUser) => ({
  name: user.name,
  email: user.email,
  email_key: addressKey(user.email),
  search_key: searchKey(user.name, user.email),
  external_id: user.externalId ?? null,
  password_hash: user.passwordHash ?? null,
  email_verified_at: user.emailVerifiedAt ?? null,
  is_admin: user.isAdmin,
  is_vouched_for: user.isVouchedFor ?? false,
  created_at: user.createdAt,
});

const searchKey = (name: string, email: string) => `${name}\n${email}`.toLowerCase();

/** The part of the users repository for two-factor login. */
const createTwoFactor = (db: Handle) =>
  ({
    async setPendingTotp(id, pending) {
      await db
        .updateTable("users")
        .set({
          pending_totp_secret: pending?.secret ?? null,
          pending_totp_expires_at: pending?.expiresAt ?? null,
        })
        .where("id", "=", id)
        .execute();
    },
    async enableTotp(id, secret, step, now) {
      const enabled = await db
        .updateTable("users")
        .set({
          totp_secret: secret,
          totp_last_step: step,
          two_factor_enabled_at: now,
          pending_totp_secret: null,
          pending_totp_expires_at: null,
        })
        .where("id", "=", id)
        .where("two_factor_enabled_at", "is", null)
        .where("pending_totp_secret", "=", secret)
        .where("pending_totp_expires_at", ">", now)
        .returning("id")
        .execute();
      return enabled.length > 0;
    },
    disableTotp: (id) =>
      atomically(db, async (db) => {
        const disabled = await db
          .updateTable("users")
          .set({ two_factor_enabled_at: null })
          .where("id", "=", id)
          .where("two_factor_enabled_at", "is not", null)
          .returning("id")
          .execute();
        await db
          .updateTable("users")
          .set({
            totp_secret: null,
            totp_last_step: null,
            pending_totp_secret: null,
            pending_totp_expires_at: null,
          })
          .where("id", "=", id)
          .execute();
        await db.deleteFrom("recovery_codes").where("user_id", "=", id).execute();
        return disabled.length > 0;
      }),
    async consumeTotpStep(id, step) {
      const taken = await db
        .updateTable("users")
        .set({ totp_last_step: step })
        .where("id", "=", id)
        .where((is) => is.or([is("totp_last_step", "is", null), is("totp_last_step", "<", step)]))
        .returning("id")
        .execute();
      return taken.length > 0;
    },
    replaceRecoveryCodes: (id, digests) =>
      atomically(db, async (db) => {
        await db.deleteFrom("recovery_codes").where("user_id", "=", id).execute();
        if (digests.length === 0) return;
        await db
          .insertInto("recovery_codes")
          .values(digests.map((digest) => ({ user_id: id, digest })))
          .execute();
      }),
    async consumeRecoveryCode(id, digest) {
      const taken = await db
        .deleteFrom("recovery_codes")
        .where("user_id", "=", id)
        .where("digest", "=", digest)
        .returning("digest")
        .execute();
      return taken.length > 0;
    },
  }) satisfies Partial<Users>;

const createAccounts = (db: Handle, engine: Engine) =>
  ({
    async insert(user) {
      const row = await db.insertInto("users").values(rowOf(user)).returningAll().executeTakeFirstOrThrow();
      return userOf(row);
    },
    async insertUnlessThere(user) {
      const row = await db
        .insertInto("users")
        .values(rowOf(user))
        .onConflict((taken) => taken.doNothing())
        .returningAll()
        .executeTakeFirst();
      return row && userOf(row);
    },
    async findByExternalId(externalId) {
      const row = await db
        .selectFrom("users")
        .selectAll()
        .where("external_id", "=", externalId)
        .executeTakeFirst();
      return row && userOf(row);
    },
    async find(id) {
      const row = await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
      return row && userOf(row);
    },
    async lock(id) {
      const row = await engine
        .forUpdate(db.selectFrom("users").selectAll().where("id", "=", id))
        .executeTakeFirst();
      return row && userOf(row);
    },
    async lockAdministrator(id) {
      const row = await engine
        .forShare(db.selectFrom("users").select("is_admin").where("id", "=", id))
        .executeTakeFirst();
      return Boolean(row?.is_admin);
    },
    async findByEmail(email) {
      const row = await db
        .selectFrom("users")
        .selectAll()
        .where("email_key", "=", addressKey(email))
        .executeTakeFirst();
      return row && userOf(row);
    },
    async rename(id, { name, email }) {
      const row = await db
        .updateTable("users")
        .set({ name, email, email_key: addressKey(email), search_key: searchKey(name, email) })
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row && userOf(row);
    },
    async list({ q }, slice) {
      const found = db
        .selectFrom("users")
        .$if(q !== undefined, (users) => users.where(contains("search_key", q ?? "")));
      return listById(found.selectAll(), slice, {
        ...forOperator,
        toItem: userOf,
        count: () => countOf(found, forOperator),
      });
    },
    delete: (id) =>
      atomically(db, async (tx) => {
        // The user's changes under way hold these rows, and may add some that refer to the user: they end first.
        const memberships = tx.selectFrom("members").select("id").where("user_id", "=", id).orderBy("id");
        await engine.forRemoval(memberships).execute();
        // The invitations of those without a membership, whom a host gives their role, refer to the user alone.
        await engine.forRemoval(tx.selectFrom("users").select("id").where("id", "=", id)).execute();
        await tx
          .deleteFrom("invitations")
          .where("invited_by", "=", id)
          .where("status", "=", "pending")
          .execute();
        const left = await tx
          .deleteFrom("members")
          .where("user_id", "=", id)
          .returning(["workspace_id", "role"])
          .execute();
        const deleted = await tx.deleteFrom("users").where("id", "=", id).returning("id").execute();
        if (deleted.length === 0) return undefined;
        return left.map((row) => ({ workspaceId: row.workspace_id, role: row.role as Role }));
      }),
    async update(id, changes) {
      const row = await db
        .updateTable("users")
        .set((is) => ({
          ...("name" in changes && changes.name !== undefined
            ? {
                name: changes.name,
                search_key: is(is.val(`${changes.name.toLowerCase()}\n`), "||", is.ref("email_key")),
              }
            : {}),
          ...("externalId" in changes ? { external_id: changes.externalId ?? null } : {}),
          ...("passwordHash" in changes ? { password_hash: changes.passwordHash ?? null } : {}),
          ...("emailVerifiedAt" in changes ? { email_verified_at: changes.emailVerifiedAt ?? null } : {}),
          ...(changes.isAdmin === undefined ? {} : { is_admin: changes.isAdmin }),
          ...("planId" in changes ? { plan_id: changes.planId ?? null } : {}),
          // Makes an empty change a valid statement.
          id,
        }))
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row && userOf(row);
    },
  }) satisfies Partial<Users>;

/** Users, their two-factor login and recovery codes. */
export const createUsersRepository = (db: Handle, engine: Engine): Users => ({
  ...createAccounts(db, engine),
  ...createTwoFactor(db),
});
