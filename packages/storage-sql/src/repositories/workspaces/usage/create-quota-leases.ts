import { randomInt } from "node:crypto";
import type { UsageRequest } from "@posthorn/core/storage";
import type { Engine, Handle, QuotaLeases } from "../../../engine.ts";
import { type Block, type LeasedWindows, lease, type Wanted } from "./lease.ts";
import { type Spending, spendLeased } from "./spend-leased.ts";

/**
 * Maximum number of recipients in each of the two blocks that a process leases per workspace (design: queue.md, Round
 * trips).
 */
const most = 200;
/** Smaller blocks are not worth a lease. */
const least = 20;
/** Part of the remaining quota that a block may be: near the limit there are no leases. */
const part = 1 / 4;
/**
 * Recipients charged to a workspace's counters within a second from which on the workspace is busy enough for a lease.
 */
const busyFrom = 10;
/** Maximum number of workspaces with leases or statistics: beyond it all are forgotten, and busy ones soon return. */
const workspacesAtMost = 1_000;

/**
 * A lease is valid for the hour, day and limits it was taken under. It spends from one block while the other is
 * refilled: the refill holds the counters' lock, and must not wait for a transaction that spends.
 */
interface Lease extends LeasedWindows {
  block: TurnBlock;
  spare: TurnBlock;
}

/** A block with the engine's turn for which it was created. */
interface TurnBlock extends Block {
  turn: number;
}

/**
 * Creates this process's quota leases. No request waits for a lease: they are acquired in the background, in separate
 * transactions on `open()`. The database is right whatever this process believes: a transaction that spends more than
 * is left of a lease, or from one that was recalled or that a failover lost, fails, and its retry charges the counters.
 */
export function createQuotaLeases(open: () => Handle): QuotaLeases {
  let holder = -randomInt(1, 2 ** 46) * 2;
  const leases = new Map<number, Lease>();
  const leasing = new Map<number, Promise<void>>();
  const charged = new Map<number, { since: number; recipients: number }>();
  const spenders = new WeakMap<Handle, Spending[]>();

  const renew = (engine: Engine, windows: LeasedWindows, wanted: (left: number) => Wanted): Promise<void> => {
    const { workspaceId } = windows;
    const underWay = leasing.get(workspaceId);
    if (underWay !== undefined) return underWay;
    const renewing = refill(engine, windows, wanted).finally(() => leasing.delete(workspaceId));
    leasing.set(workspaceId, renewing);
    return renewing;
  };
  const refill = async (
    engine: Engine,
    { workspaceId, hour, day }: LeasedWindows,
    wanted: (left: number) => Wanted,
  ): Promise<void> => {
    try {
      const turn = engine.turn();
      const held = heldFor({ workspaceId, hour, day }, turn);
      const former = held.spare;
      const spare = former.turn === turn ? former : newBlock(turn);
      const back = spare === former ? undefined : { ...former };
      // Nobody spends what is being given back.
      if (back !== undefined) former.left = 0;
      const block = { workspaceId, hour, day, holder: spare.shard, ...wanted(spare.left) };
      const taken = await lease(open(), engine, { ...block, ...(back && { former: back }) });
      if (taken === 0) {
        former.left += back?.left ?? 0;
        return;
      }
      spare.left += taken;
      if (back !== undefined) held.spare = spare;
      if (leases.size >= workspacesAtMost) leases.clear();
      leases.set(workspaceId, held);
    } catch {
      // Without a lease, quotas are still charged to their counters.
    }
  };
  const newBlock = (turn: number): TurnBlock => {
    holder -= 2;
    return { shard: holder, left: 0, turn };
  };
  const heldFor = ({ workspaceId, hour, day }: LeasedWindows, turn: number): Lease => {
    const held = leases.get(workspaceId);
    if (held !== undefined && isFor(held, { hour, day })) return held;
    const [block, spare] = [
      { shard: holder, left: 0, turn },
      { shard: holder - 1, left: 0, turn },
    ];
    return { workspaceId, hour, day, block, spare };
  };

  return {
    take(db, requests) {
      const taken = new Set<number>();
      if (leases.size === 0) return taken;
      for (const [workspaceId, own] of Map.groupBy(requests, (request) => request.workspaceId)) {
        const held = leases.get(workspaceId);
        if (held === undefined) continue;
        const recipients = sumOf(own);
        if (!own.every((request) => isFor(held, request))) continue;
        if (recipients > held.block.left) {
          if (recipients > held.spare.left) continue;
          [held.block, held.spare] = [held.spare, held.block];
        }
        held.block.left -= recipients;
        taken.add(workspaceId);
        const { hour, day, block } = held;
        const spent = spenders.get(db) ?? [];
        spent.push({ workspaceId, hour, day, shard: block.shard, recipients });
        spenders.set(db, spent);
      }
      return taken;
    },
    async spend(db, engine) {
      const spent = spenders.get(db) ?? [];
      await spendLeased(db, engine, spent);
      for (const { workspaceId } of spent) {
        const held = leases.get(workspaceId);
        if (held !== undefined && held.spare.left < most / 2) void renew(engine, held, usual);
      }
    },
    want(engine, requests) {
      const now = performance.now();
      for (const request of requests) {
        if (request.hour.limit === 0 && request.day.limit === 0) continue;
        const known = charged.get(request.workspaceId);
        const current =
          known !== undefined && now - known.since < 1_000 ? known : { since: now, recipients: 0 };
        current.recipients += request.recipients;
        if (charged.size >= workspacesAtMost) charged.clear();
        charged.set(request.workspaceId, current);
        if (current.recipients < busyFrom) continue;
        charged.delete(request.workspaceId);
        void renew(engine, request, usual);
      }
    },
    async setAside(engine, request) {
      const { workspaceId, recipients } = request;
      await leasing.get(workspaceId);
      const has = (block: Block): boolean => block.left >= recipients;
      const hasRoom = (): boolean => {
        const held = leases.get(workspaceId);
        return held !== undefined && isFor(held, request) && (has(held.block) || has(held.spare));
      };
      if (hasRoom()) return true;
      // Sends that come first take from the same block.
      await renew(engine, request, (left) => ({
        most: recipients + most - left,
        least: recipients - left,
        part: 1,
      }));
      return hasRoom();
    },
    forget(workspaceId) {
      leases.delete(workspaceId);
    },
    forgetAfter(db) {
      for (const { workspaceId } of spenders.get(db) ?? []) leases.delete(workspaceId);
    },
  };
}

/** A usual block, up to its size. */
const usual = (left: number): Wanted => ({ most: most - left, least, part });

const sumOf = (requests: readonly UsageRequest[]): number =>
  requests.reduce((sum, { recipients }) => sum + recipients, 0);

/** Whether the lease covers these windows, under the same plan. */
const isFor = (held: LeasedWindows, wanted: Pick<LeasedWindows, "hour" | "day">): boolean =>
  (["hour", "day"] as const).every(
    (window) => held[window].start === wanted[window].start && held[window].limit === wanted[window].limit,
  );
