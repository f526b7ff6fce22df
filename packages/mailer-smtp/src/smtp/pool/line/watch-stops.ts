/** Watches the signals by which services stop, and messages miss their deadlines. */
export interface StopWatch {
  /** Watches one more signal; of the same signal, once. */
  watch(signal: AbortSignal): void;
  /** Leaves all signals. A service has one for as long as it runs, which would keep whoever watches it. */
  unwatch(): void;
}

/** Calls `stopped` for each watched signal that is aborted. */
export function watchStops(stopped: (signal: EventTarget | null) => void): StopWatch {
  const known = new WeakSet<AbortSignal>();
  /** Held weakly, because some live as long as one message. */
  let watched: WeakRef<AbortSignal>[] = [];
  /** Number from which on those that are gone are dropped. */
  let many = 16;
  const leave = ({ target }: Event): void => stopped(target);
  return {
    watch(signal) {
      if (known.has(signal)) return;
      known.add(signal);
      if (watched.length >= many) {
        watched = watched.filter((one) => one.deref() !== undefined);
        many = 16 + 2 * watched.length;
      }
      watched.push(new WeakRef(signal));
      signal.addEventListener("abort", leave, { once: true });
    },
    unwatch() {
      for (const one of watched) {
        const signal = one.deref();
        if (signal === undefined) continue;
        signal.removeEventListener("abort", leave);
        known.delete(signal);
      }
      watched = [];
    },
  };
}
