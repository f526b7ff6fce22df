/** Calls back if something takes longer than it may. */
export interface Watchdog {
  /**
   * Calls `bark` after that many ms, or at `latest` by `performance.now()`, unless `rest` is called before. Replaces the
   * previous wait.
   */
  wake(ms: number, bark: () => void, latest?: number): void;
  rest(): void;
  /** Stops the watchdog for good. */
  end(): void;
}

/**
 * Creates a watchdog with a single timer for consecutive waits. Replies arrive within a few ms while minutes are
 * allowed, so a timer for each would cost more than the reply. It does not keep the process alive; the socket does.
 */
export function createWatchdog(): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  /** When the timer fires, by the monotonic clock. */
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
    // A timer may fire a fraction of a ms early.
    if (watched.until - now >= 1) arm(watched.until, now);
    else setImmediate(give, watched);
  }

  /** If the process stood still, timers fire before the data that arrived meanwhile is read, so that is read first. */
  function give(due: typeof watched): void {
    if (due === undefined || due !== watched) return;
    watched = undefined;
    due.bark();
  }

  const rest = (): void => {
    watched = undefined;
  };
  return {
    wake(ms, bark, latest = Number.POSITIVE_INFINITY) {
      const now = performance.now();
      watched = { until: Math.min(now + ms, latest), bark };
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
