import { domainOfMailbox, type EmailQueue } from "@posthorn/core/storage";
import { atomically } from "../../../atomically.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";

/** Maximum e-mails of the route that one call looks at, in the order of its lanes: they are read one by one. */
const mostLooked = 2_000;

/** What somebody paused stays, though one of it was in hand. */
const findSenders = prepared((db, { route }: { route: string }) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom("email_queue")
        .select("email_id")
        .where("route", "=", route)
        .orderBy("lane")
        .orderBy("due_at")
        .orderBy("email_id")
        .limit(mostLooked)
        .as("q"),
    )
    .innerJoin("emails as e", "e.id", "q.email_id")
    .select(["q.email_id", "e.from_text"])
    .where("e.smtp_server_id", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("parked_routes as p")
            .select("p.route")
            .where("p.route", "=", route)
            .where("p.parked_until", "is", null),
        ),
      ),
    ),
);

/** Those that a worker, or a person who cancels one, has by now stay as they are. */
const lockWaiting = prepared((db, { ids, route }: { ids: number[]; route: string }, engine) =>
  engine.skipLocked(
    db
      .selectFrom("email_queue")
      .select("email_id")
      .where((eb) => engine.anyOf(eb.ref("email_id"), ids, "bigint"))
      .where("route", "=", route)
      .orderBy("email_id"),
  ),
);

const changeRoute = prepared((db, { ids, to }: { ids: number[]; to: string }, engine) =>
  db
    .updateTable("email_queue")
    .set({ route: to })
    .where((eb) => engine.anyOf(eb.ref("email_id"), ids, "bigint")),
);

/** Moves the waiting e-mails from some domains' senders that name no server from one route to another. */
export const takeAlong = (
  db: Handle,
  engine: Engine,
  { domains, from, to }: Parameters<EmailQueue["takeAlong"]>[0],
): Promise<number> =>
  atomically(db, async (tx) => {
    // One look for all domains: it takes as long for one.
    const sent = await findSenders(tx, engine, { route: from });
    const alike = sent.flatMap((row) => (domains.has(domainOfMailbox(row.from_text)) ? [row.email_id] : []));
    if (alike.length === 0) return 0;
    const waiting = (await lockWaiting(tx, engine, { ids: alike, route: from })).map((row) => row.email_id);
    if (waiting.length > 0) await changeRoute(tx, engine, { ids: waiting, to });
    return waiting.length;
  });
