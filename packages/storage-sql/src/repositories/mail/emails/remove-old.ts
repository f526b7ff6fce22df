import type { Removal } from "@posthorn/core/storage";
import { atomically } from "../../../atomically.ts";
import { forOperator } from "../../../deferred.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { countOf } from "../../../list-range.ts";
import { prepared } from "../../../prepared.ts";
import { markReferencesForPruning, noReferences, references } from "../mark-references-for-pruning.ts";
import { type CountedStatus, countEmails } from "./count.ts";
import { removeEmails } from "./remove.ts";

/** The e-mails of one step of retention: the next `limit` of a workspace, or of the service's own. */
export interface OldEmails {
  workspaceId: number | undefined;
  before: number;
  limit: number;
  /** The row at which the previous step ended. */
  after: number;
}

interface OldRow {
  id: number;
  created_at: number;
  status: string | null;
}

const next = prepared(
  (db, { workspaceId, after, limit }: { workspaceId: number; after: number; limit: number }) =>
    oldest(db, limit, after).where("e.workspace_id", "=", workspaceId),
);

const nextOwn = prepared((db, { after, limit }: { after: number; limit: number }) =>
  oldest(db, limit, after).where("e.workspace_id", "is", null),
);

const nextFull = prepared(
  (db, { workspaceId, after, limit }: { workspaceId: number; after: number; limit: number }) =>
    oldest(db, limit, after).where("e.workspace_id", "=", workspaceId).where("e.content_id", "is not", null),
);

const oldest = (db: Handle, limit: number, after: number) =>
  db
    .selectFrom("emails as e")
    .leftJoin("email_outcomes as o", "o.email_id", "e.id")
    .select(["e.id", "e.created_at", "o.status"])
    .where("e.id", ">", after)
    .orderBy("e.id")
    .limit(limit);

/** Ids grow with time: nothing after the first e-mail that is too young needs to be read. */
function judge(
  rows: readonly OldRow[],
  { before, limit }: OldEmails,
): { old: OldRow[]; next: number | undefined } {
  const young = rows.findIndex((row) => row.created_at >= before);
  const old = young < 0 ? [...rows] : rows.slice(0, young);
  return {
    old: old.filter(({ status }) => status !== null),
    next: young < 0 && rows.length === limit ? rows.at(-1)?.id : undefined,
  };
}

/**
 * Deletes a workspace's oldest e-mails, waiting ones included, with everything that belongs to them, at most `limit`;
 * returns their number.
 */
export const removeOldest = (
  db: Handle,
  engine: Engine,
  { workspaceId, limit }: { workspaceId: number; limit: number },
): Promise<number> =>
  atomically(db, async (tx) =>
    removeCounted(tx, engine, workspaceId, await next(tx, engine, { workspaceId, after: 0, limit })),
  );

/** Deletes e-mails with everything that belongs to them and adjusts the counts; returns their number. */
async function removeCounted(
  db: Handle,
  engine: Engine,
  workspaceId: number | undefined,
  rows: readonly OldRow[],
): Promise<number> {
  const removed = await removeEmails(
    db,
    engine,
    rows.map(({ id }) => id),
  );
  await countEmails(
    db,
    engine,
    rows.flatMap(({ status }) => [
      { workspaceId, status: "accepted" as const, change: -1 },
      ...(status === null ? [] : [{ workspaceId, status: status as CountedStatus, change: -1 }]),
    ]),
  );
  return removed;
}

/** Whoever sends an e-mail again has taken its outcome, or waits for it: of those, none is deleted. */
const takeOutcomes = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .deleteFrom("email_outcomes")
    .where((eb) => engine.anyOf(eb.ref("email_id"), ids))
    .returning(["email_id", "status"]),
);

/** Deletes settled e-mails created before a time, with everything that belongs to them, oldest first. */
export const deleteEmailsBefore = (db: Handle, engine: Engine, wanted: OldEmails): Promise<Removal> =>
  atomically(db, async (tx) => {
    const { workspaceId, ...from } = wanted;
    const rows = await (workspaceId === undefined
      ? nextOwn(tx, engine, from)
      : next(tx, engine, { ...from, workspaceId }));
    const found = judge(rows, wanted);
    const taken = await takeOutcomes(tx, engine, { ids: found.old.map(({ id }) => id) });
    const statusOf = new Map(taken.map(({ email_id, status }) => [email_id, status]));
    const ended = found.old.flatMap((row) => {
      const status = statusOf.get(row.id);
      return status === undefined ? [] : { ...row, status };
    });
    const removed = await removeCounted(tx, engine, workspaceId, ended);
    return { removed, next: found.next };
  });

const removePayloads = prepared((db, { ids }: { ids: number[] }, engine) =>
  db.deleteFrom("email_payloads").where((eb) => engine.anyOf(eb.ref("email_id"), ids)),
);

/**
 * Removes e-mails' contents: values, templates' content, files. The rows are read first, to release what they refer to.
 */
export async function forgetContentsOf(db: Handle, engine: Engine, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  await removePayloads(db, engine, { ids: [...ids] });
  const rows = await db
    .selectFrom("emails")
    .select(references)
    .where((eb) => engine.anyOf(eb.ref("id"), ids))
    .execute();
  await db
    .updateTable("emails")
    .set(noReferences)
    .where((eb) => engine.anyOf(eb.ref("id"), ids))
    .execute();
  await markReferencesForPruning(db, engine, rows);
  return rows.length;
}

/** Removes the contents of settled e-mails created before a time, oldest first. */
export const forgetContentsBefore = (
  db: Handle,
  engine: Engine,
  wanted: OldEmails & { workspaceId: number },
): Promise<Removal> =>
  atomically(db, async (tx) => {
    const found = judge(await nextFull(tx, engine, wanted), wanted);
    const removed = await forgetContentsOf(
      tx,
      engine,
      found.old.map(({ id }) => id),
    );
    return { removed, next: found.next };
  });

/** The number of settled e-mails created before a time; with `full`, only those that still have their contents. */
export function countOld(
  db: Handle,
  { workspaceId, before, full }: { workspaceId: number | undefined; before: number; full: boolean },
): Promise<number> {
  let query = db
    .selectFrom("emails as e")
    .innerJoin("email_outcomes as o", "o.email_id", "e.id")
    .where("e.created_at", "<", before);
  query =
    workspaceId === undefined
      ? query.where("e.workspace_id", "is", null)
      : query.where("e.workspace_id", "=", workspaceId);
  if (full) query = query.where("e.content_id", "is not", null);
  return countOf(query, { holder: workspaceId ?? forOperator.holder });
}
