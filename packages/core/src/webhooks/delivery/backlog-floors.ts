import type { BacklogFloor, WebhookDeliveries } from "../../ports/storage.ts";

/** Ms from which on a look is slow: one takes few, unless it walks over deliveries that are done with. */
const slowMs = 250;
/** Ms after which floors are raised, and after which they are found anew; later, if that takes more than a twentieth of it. */
const raiseMs = 5_000;
const anewPart = 20;
/** Ms for which looks go on as usual where floors brought nothing. */
const vainMs = 60_000;
/**
 * How far, in ms, the due time of a new delivery may be before the last look, because its transaction was slow or its clock
 * behind.
 */
const slackMs = 10_000;
/** Maximum number of floors: those of webhooks that had a backlog last. */
const mostFloors = 4_096;

/**
 * Where looks at the webhooks' backlogs begin. Deliveries that are done with leave entries in the index that PostgreSQL can't
 * remove while an older transaction is open, such as that of a dump, and a look from the beginning walks over all of them.
 * Once looks are slow, they begin behind the entries that were there at the look before.
 */
export interface BacklogFloors {
  /** The floors for a look at `now`, the queue's time; none, for a look from the beginning. */
  current(now: number): Promise<readonly BacklogFloor[]>;
  /** Notes how many ms a look with these floors took. */
  note(floors: readonly BacklogFloor[], ms: number): void;
}

export function createBacklogFloors(
  webhookDeliveries: Pick<WebhookDeliveries, "firsts">,
  monotonic: () => number,
): BacklogFloors {
  let floors: readonly BacklogFloor[] = [];
  /** What a look from the beginning took last. */
  let wholeMs = 0;
  let foundAt = Number.NEGATIVE_INFINITY;
  let raisedAt = Number.NEGATIVE_INFINITY;
  let vainUntil = Number.NEGATIVE_INFINITY;
  /** Whether the last search found nothing: repeated for each look, it would have that walk over all twice. */
  let isNothingPending = false;

  /** Looks from these floors on, at what there is and where it begins. */
  async function find(from: readonly BacklogFloor[], now: number): Promise<void> {
    const known = new Map(floors.map(({ row }) => [row, now - slackMs]));
    for (const { row, dueAt } of await webhookDeliveries.firsts(from)) {
      known.delete(row);
      known.set(row, Math.min(now - slackMs, dueAt));
    }
    floors = [...known].slice(-mostFloors).map(([row, since]) => ({ row, since }));
    raisedAt = monotonic();
  }

  async function findAnew(now: number): Promise<void> {
    const begun = monotonic();
    try {
      await find([], now);
      isNothingPending = floors.length === 0;
    } catch (error) {
      // Beyond the storage's time limit: what is known still serves.
      if (floors.length === 0) throw error;
    } finally {
      foundAt = monotonic();
      wholeMs = foundAt - begun;
    }
  }

  return {
    async current(now) {
      const at = monotonic();
      if (wholeMs < slowMs || at < vainUntil) return [];
      const isUnknown = floors.length === 0 && !isNothingPending;
      if (isUnknown || at - foundAt >= Math.max(raiseMs, wholeMs * anewPart)) await findAnew(now);
      else if (floors.length > 0 && at - raisedAt >= raiseMs) await find(floors, now);
      if (wholeMs < slowMs) floors = [];
      return floors;
    },
    note(from, ms) {
      if (from.length === 0) wholeMs = ms;
      else if (ms > wholeMs / 2) {
        vainUntil = monotonic() + vainMs;
        floors = [];
      }
    },
  };
}
