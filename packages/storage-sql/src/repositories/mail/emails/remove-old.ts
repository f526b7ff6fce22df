import type { Removal } from "@posthorn/core/storage";
import { atomically } from "../../../atomically.ts";
import type { Engine, Handle } from "../../../engine.ts";
import { prepared } from "../../../prepared.ts";
import { findOlder } from "../../find-older.ts";
import { markReferencesForPruning, noReferences, references } from "../mark-references-for-pruning.ts";
import { type CountChange, type CountedStatus, countEmails } from "./count.ts";
import { removeFromQueue, removeSettled } from "./remove.ts";

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
  settled_at: number | null;
}

interface Next {
  limit: number;
  after: number;
}

const next = prepared((db, { workspaceId, after, limit }: Next & { workspaceId: number }) =>
  oldest(db, idsAfter(db, { after, limit }).where("workspace_id", "=", workspaceId)),
);

const nextOwn = prepared((db, { after, limit }: Next) =>
  oldest(db, idsAfter(db, { after, limit }).where("workspace_id", "is", null)),
);

const nextFull = prepared((db, { workspaceId, after, limit }: Next & { workspaceId: number }) =>
  oldest(
    db,
    idsAfter(db, { after, limit })
      .where("workspace_id", "=", workspaceId)
      .where("content_id", "is not", null),
  ),
);

/**
 * Their ids alone are read in order: an index has nothing else. With their times, PostgreSQL took the index of those for
 * any workspace, and sorted all of its e-mails for each step.
 */
const idsAfter = (db: Handle, { after, limit }: Next) =>
  db.selectFrom("emails").select("id").where("id", ">", after).orderBy("id").limit(limit);

/** Outcomes are not joined: PostgreSQL would read them beside the e-mails from the first on, all that come before these. */
const oldest = (db: Handle, ids: ReturnType<typeof idsAfter>) =>
  db
    .selectFrom(ids.as("next"))
    .innerJoin("emails as e", "e.id", "next.id")
    .select((of) => [
      "e.id",
      "e.created_at",
      of
        .selectFrom("email_outcomes as o")
        .select("o.settled_at")
        .whereRef("o.email_id", "=", "e.id")
        .as("settled_at"),
    ])
    .orderBy("e.id");

/** Those of the next e-mails that are old, whether settled or not, and where the next step begins. */
interface Found {
  old: OldRow[];
  next: number | undefined;
}

/**
 * Ids mostly grow with time, so that the first step that ends with a young e-mail is the end. Behind e-mails of a clock
 * that was ahead, though, older ones follow.
 */
async function judge(
  rows: readonly OldRow[],
  { before, limit }: Pick<OldEmails, "before" | "limit">,
  nextAfter: (id: number) => Promise<OldRow | undefined>,
): Promise<Found> {
  const old = rows.filter(({ created_at }) => created_at < before);
  const last = rows.length < limit ? undefined : rows.at(-1);
  if (last === undefined) return { old, next: undefined };
  if (last.created_at < before) return { old, next: last.id };
  return { old, next: await findOlder(nextAfter, { before, after: last.id, distance: limit }) };
}

/**
 * Deletes a workspace's oldest e-mails after a row, waiting ones included, with everything that belongs to them, at most
 * `limit`; returns their number, and the last row looked at. Outcomes are taken first, so that none of these is sent again; and once more, as workers may have
 * settled others meanwhile.
 */
export const removeOldest = (
  db: Handle,
  engine: Engine,
  { workspaceId, limit, after }: Next & { workspaceId: number },
): Promise<{ removed: number; last: number | undefined }> =>
  atomically(db, async (tx) => {
    const ids = (await next(tx, engine, { workspaceId, after, limit })).map(({ id }) => id);
    const ended = await takeOutcomes(tx, engine, { ids });
    await removeFromQueue(tx, engine, ids);
    ended.push(...(await takeOutcomes(tx, engine, { ids })));
    const removed = await removeSettled(tx, engine, ids);
    await countEmails(tx, engine, countsOf(workspaceId, { removed, ended }));
    return { removed, last: ids.at(-1) };
  });

/** E-mails deleted in one round, which bounds the list of ids. */
const roundSize = 1_000;

/** Deletes all e-mails of a workspace, waiting ones included, in the caller's transaction, which prevents new ones. */
export async function removeAll(db: Handle, engine: Engine, workspaceId: number): Promise<void> {
  while ((await removeOldest(db, engine, { workspaceId, limit: roundSize, after: 0 })).removed > 0);
}

/** The counts of e-mails that were deleted, and of the outcomes of those that had one. */
const countsOf = (
  workspaceId: number | undefined,
  { removed, ended }: { removed: number; ended: readonly { status: string }[] },
): CountChange[] => [
  ...(removed === 0 ? [] : [{ workspaceId, status: "accepted" as const, change: -removed }]),
  ...ended.map(({ status }) => ({ workspaceId, status: status as CountedStatus, change: -1 })),
];

/** Whoever sends an e-mail again has taken its outcome, or waits for it: of those, none is deleted. */
const takeOutcomes = prepared((db, { ids }: { ids: number[] }, engine) =>
  db
    .deleteFrom("email_outcomes")
    .where((eb) => engine.anyOf(eb.ref("email_id"), ids))
    .returning(["email_id", "status"]),
);

/**
 * Until the transaction ends, none of these e-mails is sent again; and those that just were have no outcome. Those that
 * another transaction has locked, such as a host's that stays open, are left out.
 */
const lockOutcomes = prepared((db, { ids, before }: { ids: number[]; before: number }, engine) =>
  engine.skipLocked(
    db
      .selectFrom("email_outcomes")
      .select("email_id")
      .where((eb) => engine.anyOf(eb.ref("email_id"), ids))
      .where("settled_at", "<", before)
      .orderBy("email_id"),
  ),
);

/**
 * Finds the next old e-mails, and runs `remove` in a transaction for those that were settled before the time, whose outcomes
 * it locks as far as nobody else has, in the order of their rows. Of most workspaces there is none: to learn that, no
 * transaction begins. One that waited for days, as it was scheduled, is young when it is settled: its bounces come back
 * later.
 */
async function removeFound(
  db: Handle,
  engine: Engine,
  wanted: Omit<OldEmails, "workspaceId">,
  {
    readNext,
    remove,
  }: {
    readNext(next: Next): Promise<OldRow[]>;
    remove(tx: Handle, ids: number[]): Promise<number>;
  },
): Promise<Removal> {
  const { before, limit, after } = wanted;
  const readAfter = async (id: number) => (await readNext({ after: id, limit: 1 }))[0];
  const { old, next } = await judge(await readNext({ after, limit }), wanted, readAfter);
  const ids = old.flatMap(({ id, settled_at: at }) => (at === null || at >= before ? [] : id));
  if (ids.length === 0) return { removed: 0, next };
  const removed = await atomically(db, async (tx) => {
    const locked = await lockOutcomes(tx, engine, { ids, before });
    return await remove(
      tx,
      locked.map(({ email_id }) => email_id),
    );
  });
  return { removed, next };
}

/** Deletes e-mails settled before a time, with everything that belongs to them, oldest first. */
export const deleteEmailsBefore = (
  db: Handle,
  engine: Engine,
  { workspaceId, ...wanted }: OldEmails,
): Promise<Removal> =>
  removeFound(db, engine, wanted, {
    readNext: (to) =>
      workspaceId === undefined ? nextOwn(db, engine, to) : next(db, engine, { workspaceId, ...to }),
    async remove(tx, ids) {
      const ended = await takeOutcomes(tx, engine, { ids });
      const removed = await removeSettled(tx, engine, ids);
      await countEmails(tx, engine, countsOf(workspaceId, { removed, ended }));
      return removed;
    },
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

/** Removes the contents of e-mails settled before a time, oldest first. */
export const forgetContentsBefore = (
  db: Handle,
  engine: Engine,
  { workspaceId, ...wanted }: OldEmails & { workspaceId: number },
): Promise<Removal> =>
  removeFound(db, engine, wanted, {
    readNext: (to) => nextFull(db, engine, { workspaceId, ...to }),
    remove: (tx, ids) => forgetContentsOf(tx, engine, ids),
  });
