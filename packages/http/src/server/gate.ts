/** A writer's wait for its reader. */
export interface Gate {
  /** Resolves when the gate is opened next. */
  wait(): Promise<void>;
  /** Lets through whoever waits now. */
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
