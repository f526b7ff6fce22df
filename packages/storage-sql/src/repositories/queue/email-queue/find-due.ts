import { type DuePart, everyRoute, type Floor, type Lane } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";

const findHold = prepared((db, { now }: { now: number }) =>
  db
    .selectFrom("parked_routes")
    .select("parked_until")
    .where("route", "=", sql.lit(everyRoute))
    .where((eb) => eb.or([eb("parked_until", "is", null), eb("parked_until", ">", now)])),
);

/** Due e-mails by part of the queue, and when the next are due. */
export async function lookForDue(
  db: Handle,
  engine: Engine,
  now: number,
  limit: number,
  floors: readonly Floor[] = [],
): Promise<{ due: DuePart[]; nextAt: number | undefined }> {
  const [hold] = await findHold(db, engine, { now });
  if (hold !== undefined) return { due: [], nextAt: hold.parked_until ?? undefined };
  const parts = await engine.findParts(db, { starts: floors, now, limit });
  const due: DuePart[] = [];
  let nextAt: number | undefined;
  for (const part of parts) {
    const { route, lane, due_at: dueAt, parked_until: until } = part;
    const isParked = part.is_parked === 1;
    if (!isParked && dueAt <= now) {
      due.push({ route, lane: lane as Lane, dueAt, ...(part.is_trial === 1 ? { isTrial: true } : {}) });
      continue;
    }
    const opensAt = isParked ? (until ?? Number.POSITIVE_INFINITY) : dueAt;
    nextAt = Math.min(nextAt ?? Number.POSITIVE_INFINITY, Math.max(opensAt, dueAt));
  }
  return { due, nextAt: nextAt === Number.POSITIVE_INFINITY ? undefined : nextAt };
}
