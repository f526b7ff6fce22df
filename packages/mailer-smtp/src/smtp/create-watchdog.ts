/** Barks where something takes longer than it may. */
export interface Watchdog {
  /** Calls `bark` after so many ms, unless it rests before; instead of what was watched so far. */
  wake(ms: number, bark: () => void): void;
  rest(): void;
  /** Rests for good. */
  end(): void;
}

/**
 * Makes a watchdog with one timer for all that it watches in turn: replies come within a few ms, each with minutes allowed for, and a timer of
 * its own for each costs more than the reply. It does not keep the process alive: what is waited for does.
 */
export function createWatchdog(): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  /** When the timer goes off, by the steady clock. */
  let goesOffAt = Number.POSITIVE_INFINITY;
  let watched: { until: number; bark: () => void } | undefined;

  function arm(until: number, now: number): void {
    if (until >= goesOffAt) return;
    clearTimeout(timer);
    goesOffAt = until;
    timer = setTimeout(look, Math.max(0, until - now)).unref();
  }

  function look(): void {
    goesOffAt = Number.POSITIVE_INFINITY;
    if (watched === undefined) return;
    const now = performance.now();
    // A timer may go off a part of a ms too soon.
    if (watched.until - now >= 1) arm(watched.until, now);
    else setImmediate(give, watched);
  }

  /** Where the process stood still, timers go off before what came meanwhile is read: that is read first. */
  function give(due: typeof watched): void {
    if (due === undefined || due !== watched) return;
    watched = undefined;
    due.bark();
  }

  const rest = (): void => {
    watched = undefined;
  };
  return {
    wake(ms, bark) {
      const now = performance.now();
      watched = { until: now + ms, bark };
      arm(watched.until, now);
    },
    rest,
    end() {
      rest();
      clearTimeout(timer);
      goesOffAt = Number.POSITIVE_INFINITY;
    },
  };
}
