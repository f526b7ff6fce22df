/** Lets a writer wait for its reader. */
export interface Gate {
  /** Resolves when the gate is next opened. */
  wait(): Promise<void>;
  /** Releases the current waiters. */
  open(): void;
}

/** Creates a gate for one writer. */
export function createGate(): Gate {
  let go = (): void => {};
  return {
    wait: () =>
      new Promise<void>((resolve) => {
        go = resolve;
      }),
    open: () => go(),
  };
}
