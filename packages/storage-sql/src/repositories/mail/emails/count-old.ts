import type { OldRows, RetentionEnds } from "@posthorn/core/storage";
import { type RawBuilder, sql } from "kysely";
import { forOperator, readLong } from "../../../deferred.ts";
import type { Engine, Handle } from "../../../engine.ts";

/** E-mails counted in one statement: all of a large log would take longer than a statement may. */
const atOnce = 50_000;
/** Workspaces counted in one statement: one for each of thousands would take longer than the counting itself. */
const together = 50;

/**
 * The e-mails of a workspace that are still to be counted: those behind a place in the log by time, created before the later
 * (`upto`) of the times before which they (`log`) and their contents are removed; 0 for never.
 */
const types = {
  workspace: "bigint",
  log: "bigint",
  content: "bigint",
  upto: "bigint",
  created_at: "bigint",
  id: "bigint",
} as const;

type Part = Record<keyof typeof types, number>;

interface Counted {
  workspace: number;
  emails: number;
  contents: number;
  created_at: number | null;
  id: number | null;
}

/**
 * Counts the next `limit` e-mails of each workspace, oldest first, or of the service itself, and finds the place behind
 * them. Outcomes are not joined: with thousands of e-mails in hand, PostgreSQL would read all that there are.
 */
const countNext = (
  db: Handle,
  engine: Engine,
  parts: readonly Part[],
  { isOwn, limit }: { isOwn: boolean; limit: number },
): Promise<Counted[]> => {
  const following = sql`
    from ${engine.table("emails")} as e where ${isOwn ? sql`e.workspace_id is null` : sql`e.workspace_id = v.workspace`}
      and e.created_at < v.upto and (e.created_at, e.id) > (v.created_at, v.id)
    order by e.created_at, e.id`;
  const last = (column: "created_at" | "id") =>
    sql`(select ${sql.id("e", column)} ${following} limit 1 offset ${limit - 1})`;
  const settled = (condition: RawBuilder<unknown>) =>
    sql`(select 1 from ${engine.table("email_outcomes")} as o where o.email_id = p.id and ${condition}) = 1`;
  return readLong(
    db,
    sql<Counted>`
    select v.workspace, (
      -- An index alone has these columns.
      select count(*) from (select e.id, e.created_at ${following} limit ${limit}) as p
      where p.created_at < v.log and ${settled(sql`o.settled_at < v.log`)}
    ) as emails, (
      select count(*) from (select e.id, e.created_at, e.content_id ${following} limit ${limit}) as p
      where v.content > 0 and p.created_at < v.content and p.content_id is not null
        -- Without those that go with their line of the log.
        and ${settled(sql`o.settled_at < v.content
          and o.settled_at >= case when p.created_at < v.log then v.log else 0 end`)}
    ) as contents, ${last("created_at")} as created_at, ${last("id")} as id
    from ${engine.valuesToFind("v", types, parts)}`,
    forOperator,
  );
};

/**
 * Counts e-mails, accepted and settled before their workspaces' times, and those of the others that have contents past
 * theirs. One statement counts many small logs, or a piece of a large one.
 */
export async function countOldEmails(
  db: Handle,
  engine: Engine,
  ends: readonly RetentionEnds[],
): Promise<Pick<OldRows, "emails" | "contents">> {
  const total = { emails: 0, contents: 0 };
  const parts = ends.map(({ workspaceId = 0, log = 0, content = 0 }) => ({
    ...{ workspace: workspaceId, log, content, upto: Math.max(log, content) },
    ...{ created_at: -1, id: 0 },
  }));
  const [own, others] = [
    parts.filter(({ workspace }) => workspace === 0),
    parts.filter(({ workspace }) => workspace > 0),
  ];
  for (const [isOwn, left] of [
    [true, own],
    [false, others],
  ] as const)
    while (left.length > 0) {
      const now = left.splice(0, together);
      const limit = Math.floor(atOnce / now.length);
      for (const { workspace, emails, contents, ...next } of await countNext(db, engine, now, {
        isOwn,
        limit,
      })) {
        total.emails += Number(emails);
        total.contents += Number(contents);
        const part = now.find((one) => one.workspace === workspace);
        if (part !== undefined && next.id !== null && next.created_at !== null)
          left.push({ ...part, created_at: next.created_at, id: next.id });
      }
    }
  return total;
}
