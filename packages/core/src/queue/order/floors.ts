import { type DuePart, type Floor, type Lane, lanes } from "../../ports/storage.ts";

/** Maximum ms between two looks at the whole queue, whatever they cost. */
const wholeMs = 5_000;
/**
 * Looks at the whole queue take at most this fraction (1 / `wholePart`) of the time, but one is made every `wholeMs` in
 * any case.
 */
const wholePart = 20;
/**
 * How far, in ms, the due time of a new e-mail may be before the last look, because its transaction was slow or its
 * clock behind.
 */
const slackMs = 10_000;
/** Ms since a route last had something due, for which looks at it begin at its floor. */
const busyMs = 600_000;
/** Maximum number of such routes, those that were last busy: with more, a look would cost more than one at the whole queue. */
const mostBusy = 512;

/**
 * The positions at which looks at the queue begin. Delivered e-mails leave entries in the index that PostgreSQL can't
 * remove while an older transaction is open, and a look from the beginning walks over all of them. So a look begins at
 * the oldest due e-mail that the last look at the whole queue found.
 */
export interface Floors {
  /** Returns the positions for the next look; empty if it must cover the whole queue. */
  current(monotonic: number): Floor[];
  /** Records the result of a look that began at `from`: all that is due at `now`. */
  note(look: { from: Floor[]; due: DuePart[]; now: number; begun: number; ended: number }): void;
}

export function createFloors(): Floors {
  let floors: Floor[] = [];
  let taken = { at: Number.NEGATIVE_INFINITY, cost: 0 };
  /** When each route last had something due, by the monotonic clock, oldest first. */
  const busy = new Map<string, number>();
  return {
    current: (monotonic) => (monotonic - taken.at >= Math.min(wholeMs, taken.cost * wholePart) ? [] : floors),
    note({ from, due, now, begun, ended }) {
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
      floors = [...busy.keys()]
        .slice(-mostBusy)
        .flatMap((route) => lanes.map((lane) => floorOf(route, lane)));
    },
  };
}
