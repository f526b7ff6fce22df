import type { DuePart, Floor } from "../ports/storage/email-queue.ts";
import type { Lane } from "../ports/storage/lane.ts";

/** Ms after which a look at the whole queue is made, whatever it costs. */
const wholeMs = 5_000;
/** Looks at the whole queue take at most one part in so many of the time; but one is made every `wholeMs` all the same. */
const wholePart = 20;
/** Ms by which an e-mail that comes into the queue may be due before the last look, as its transaction was slow or its clock behind. */
const slackMs = 10_000;
/** Ms for which looks begin at the floor of a route, counted from when it last had something due. */
const busyMs = 600_000;
const lanes: readonly Lane[] = [0, 1, 2];

/**
 * Where looks at the queue begin. What was delivered leaves entries behind in the index that PostgreSQL can't remove while any
 * transaction is older: a look from the beginning walks over all of them. So it begins where the last look at the whole queue found
 * the longest waiting e-mail.
 */
export interface Floors {
  /** Where the next look begins; none where the whole queue is to be looked at. */
  current(monotonic: number): Floor[];
  /** Notes what a look that began at `from` found: all that is due at `now`, unless it is cut. */
  note(look: {
    from: Floor[];
    due: DuePart[];
    isCut: boolean;
    now: number;
    begun: number;
    ended: number;
  }): void;
}

export function createFloors(): Floors {
  let floors: Floor[] = [];
  let taken = { at: Number.NEGATIVE_INFINITY, cost: 0 };
  /** When each route last had something due, by this process's measure of time; the longest ago first. */
  const busy = new Map<string, number>();
  return {
    current: (monotonic) => (monotonic - taken.at >= Math.min(wholeMs, taken.cost * wholePart) ? [] : floors),
    note({ from, due, isCut, now, begun, ended }) {
      for (const { route } of due) {
        busy.delete(route);
        busy.set(route, ended);
      }
      if (from.length > 0) return;
      taken = { at: ended, cost: ended - begun };
      for (const [route, at] of busy) if (ended - at > busyMs) busy.delete(route);
      const lowest = new Map(due.map(({ route, lane, dueAt }) => [`${lane} ${route}`, dueAt]));
      const floorOf = (route: string, lane: Lane): Floor => ({
        route,
        lane,
        since: Math.min(now - slackMs, lowest.get(`${lane} ${route}`) ?? now),
      });
      // Of what was cut off, nobody knows where it begins.
      floors = isCut ? [] : [...busy.keys()].flatMap((route) => lanes.map((lane) => floorOf(route, lane)));
    },
  };
}
