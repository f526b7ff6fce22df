import { randomInt } from "node:crypto";
import type { Logger } from "../../ports/logger.ts";
import { StorageUnavailable } from "../../ports/storage.ts";
import type { Hit } from "./hit.ts";

/** What the writer works with. */
export interface WriterMeans {
  logger: Pick<Logger, "error">;
  /**
   * Writes hits in one transaction. After `StorageUnavailable`, which may mean that only the reply to the commit is
   * missing, it is called again with the same hits and the same `piece`, and counts none of them twice, unless another
   * process has counted on the same row in between.
   */
  write(hits: readonly Hit[], piece: number): Promise<void>;
  /** Returns the workspaces of the e-mails of these rows, without those that are deleted. */
  workspacesOf(rows: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Called with hits that are written, or that the storage refuses for ever. */
  done(hits: readonly Hit[]): void;
}

/** Writes judged hits in pieces. Those that the storage did not take stay for the next time. */
export interface HitWriter {
  /** Number of hits that are not written yet. */
  readonly size: number;
  add(hits: readonly Hit[]): void;
  write(): Promise<void>;
  /** Gives up half of those that wait the most numerous in one workspace for locks of others; returns them. */
  giveUp(): readonly Hit[];
}

/** Hits that are written together. */
interface Line {
  /** Of which workspace all are, if they are written apart from others. */
  workspaceId: number | undefined;
  hits: Hit[];
  /** The first of them, if it is not known whether the storage took them. */
  piece: { number: number; hits: readonly Hit[] } | undefined;
}

/** Maximum hits of one transaction. */
const pieceHits = 500;
/** Numbers of pieces are drawn at random below it: hardly ever do two draw the same. */
const pieceNumbers = 2 ** 48 - 1;
/** Number of workspaces after which no other is tried if none got through: whole tables are locked, and each takes as long. */
const vainTries = 3;

/** Creates a writer. */
export function createHitWriter({ logger, write, workspacesOf, done }: WriterMeans): HitWriter {
  const shared: Line = { workspaceId: undefined, hits: [], piece: undefined };
  /**
   * Hits of workspaces whose rows others may keep locked, such as a host's transaction that stays open: shared with
   * theirs, no transaction would get through. A workspace has more than one line if a piece of it was in doubt.
   */
  let apart: Line[] = [];

  /** Writes all of a line; stops at locks of others, and once the storage is unavailable. */
  async function writeOut(line: Line): Promise<"done" | "locked" | "unavailable"> {
    /** Number of hits that are written one by one. */
    let alone = 0;
    while (line.hits.length > 0) {
      const isInDoubt = line.piece !== undefined;
      line.piece ??= { number: randomInt(pieceNumbers), hits: line.hits.slice(0, alone > 0 ? 1 : pieceHits) };
      const { number, hits } = line.piece;
      const fault = await write(hits, number).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      if (fault !== undefined) logger.error({ err: fault.error }, "opens and clicks could not be written");
      if (fault?.error instanceof StorageUnavailable) {
        if (!fault.error.isLocked) return "unavailable";
        if (!isInDoubt) line.piece = undefined;
        return "locked";
      }
      line.piece = undefined;
      if (fault !== undefined && hits.length > 1) {
        // One hit may make the whole piece fail. What the storage then refuses alone, it would refuse for ever.
        alone = hits.length;
        continue;
      }
      alone -= 1;
      line.hits = line.hits.slice(hits.length);
      done(hits);
    }
    return "done";
  }

  /** Gives each workspace of the shared line a line of its own. What is in doubt keeps its number. */
  async function divide(): Promise<void> {
    const workspaces = await workspacesOf(shared.hits.map(({ row }) => row));
    const { hits, piece } = shared;
    const inDoubt = new Set(piece?.hits);
    shared.hits = [];
    shared.piece = undefined;
    for (const [workspaceId, own] of Map.groupBy(hits, ({ row }) => workspaces.get(row))) {
      const first = own.filter((hit) => inDoubt.has(hit));
      const again = piece && first.length > 0 ? { number: piece.number, hits: first } : undefined;
      apart.push({ workspaceId, hits: own, piece: again });
    }
  }

  /** Puts hits of workspaces that are written apart to theirs. */
  async function leaveAside(): Promise<void> {
    const lines = new Map(apart.map((line) => [line.workspaceId, line]));
    const from = shared.piece?.hits.length ?? 0;
    const workspaces = await workspacesOf(shared.hits.slice(from).map(({ row }) => row));
    shared.hits = shared.hits.filter((hit, index) => {
      const line = index < from ? undefined : lines.get(workspaces.get(hit.row));
      line?.hits.push(hit);
      return line === undefined;
    });
  }

  async function writeApart(): Promise<void> {
    const [lines, locked]: [Line[], Line[]] = [apart, []];
    let isVain = false;
    let written = 0;
    for (let line = lines.shift(); line !== undefined; line = lines.shift()) {
      const outcome = isVain ? "unavailable" : await writeOut(line);
      if (outcome === "done") written += 1;
      else if (outcome === "locked") locked.push(line);
      else {
        lines.unshift(line);
        break;
      }
      isVain = written === 0 && locked.length >= vainTries;
    }
    // Those that were not tried come first the next time.
    apart = [...lines, ...locked];
  }

  async function writeAll(): Promise<void> {
    if (apart.length > 0) await leaveAside();
    const outcome = await writeOut(shared);
    if (outcome === "locked") await divide();
    if (outcome !== "unavailable") await writeApart();
  }

  return {
    get size() {
      return apart.reduce((sum, { hits }) => sum + hits.length, shared.hits.length);
    },
    add(hits) {
      shared.hits = shared.hits.concat(hits);
    },
    giveUp() {
      // What may already have been written is repeated as it was.
      const freeOf = ({ hits, piece }: Line): number => hits.length - (piece?.hits.length ?? 0);
      const [most] = apart.toSorted((a, b) => freeOf(b) - freeOf(a));
      const count = most === undefined ? 0 : Math.ceil(freeOf(most) / 2);
      return most?.hits.splice(most.hits.length - count) ?? [];
    },
    write: () =>
      writeAll().catch((error: unknown) =>
        logger.error({ err: error }, "opens and clicks could not be written"),
      ),
  };
}
