/** Watches the signals by which services stop. */
export interface StopWatch {
  /** Watches one more signal; of the same signal, once. */
  watch(signal: AbortSignal): void;
  /** Leaves the signal that came last. A service has one for as long as it runs, which would keep whoever watches it. */
  unwatch(): void;
}

/** Calls `stopped` for each watched signal that is aborted. */
export function watchStops(stopped: (signal: EventTarget | null) => void): StopWatch {
  const watched = new WeakSet<AbortSignal>();
  let last: AbortSignal | undefined;
  const leave = ({ target }: Event): void => stopped(target);
  return {
    watch(signal) {
      if (watched.has(signal)) return;
      watched.add(signal);
      last = signal;
      signal.addEventListener("abort", leave, { once: true });
    },
    unwatch() {
      if (last === undefined) return;
      last.removeEventListener("abort", leave);
      watched.delete(last);
      last = undefined;
    },
  };
}
