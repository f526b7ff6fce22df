import type { Removal } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";

/** A piece of a webhook's deliveries. */
interface Wanted {
  workspaceId: number;
  webhookId: string;
  limit: number;
  after: number;
}

const removeNext = prepared((db, wanted: Wanted) =>
  db
    .deleteFrom("webhook_deliveries")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("webhook_deliveries")
        .select("id")
        .where("webhook_id", "=", (of) =>
          of
            .selectFrom("webhooks")
            .select("id")
            .where("uuid", "=", wanted.webhookId)
            .where("workspace_id", "=", wanted.workspaceId),
        )
        .where("id", ">", wanted.after)
        .orderBy("id")
        .limit(wanted.limit),
    )
    .returning("id"),
);

/**
 * Removes the next of a webhook's deliveries, from where the previous piece ended: beside an old transaction, PostgreSQL
 * keeps all that were removed before.
 */
export async function removeSome(db: Handle, engine: Engine, wanted: Wanted): Promise<Removal> {
  const rows = await removeNext(db, engine, wanted);
  const next = rows.length < wanted.limit ? undefined : Math.max(...rows.map(({ id }) => id));
  return { removed: rows.length, next };
}
