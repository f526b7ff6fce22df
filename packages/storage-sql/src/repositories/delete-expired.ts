import type { Handle } from "../engine.ts";
import { stillBefore } from "./still-before.ts";

/** Deletes up to `limit` rows that expired before a time, oldest first; returns their number. */
export async function deleteExpired(
  db: Handle,
  table: "email_tokens" | "sessions" | "suppressions",
  before: number,
  limit: number,
): Promise<number> {
  const deleted = await db
    .deleteFrom(table)
    .where("id", "in", (expired) =>
      expired
        .selectFrom(table)
        .select("id")
        .where("expires_at", "<", before)
        .orderBy("expires_at")
        .limit(limit),
    )
    .where(stillBefore("expires_at", before))
    .returning("id")
    .execute();
  return deleted.length;
}
