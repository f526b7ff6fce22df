import type { EmailTokens } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../engine.ts";
import { deleteExpired } from "../delete-expired.ts";

/** Single-use tokens: a used token is deleted. */
export const createEmailTokensRepository = (db: Handle, _engine: Engine): EmailTokens => ({
  async insert({ digest, purpose, userId, expiresAt }) {
    await db
      .insertInto("email_tokens")
      .values({ digest, purpose, user_id: userId, expires_at: expiresAt })
      .execute();
  },
  async find(purpose, digest, now) {
    const found = await db
      .selectFrom("email_tokens")
      .select("user_id")
      .where("digest", "=", digest)
      .where("purpose", "=", purpose)
      .where("expires_at", ">", now)
      .executeTakeFirst();
    return found?.user_id;
  },
  async consume(purpose, digest, now) {
    const taken = await db
      .deleteFrom("email_tokens")
      .where("digest", "=", digest)
      .where("purpose", "=", purpose)
      .where("expires_at", ">", now)
      .returning("user_id")
      .executeTakeFirst();
    return taken?.user_id;
  },
  async deleteFor(userId, purpose) {
    await db
      .deleteFrom("email_tokens")
      .where("user_id", "=", userId)
      .where("purpose", "=", purpose)
      .execute();
  },
  deleteExpired: (before, limit) => deleteExpired(db, "email_tokens", before, limit),
});
