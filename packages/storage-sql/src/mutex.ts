/** Admits one caller at a time, in order: each gets a function to call when it leaves. */
export const createMutex = () => {
  let last: Promise<void> = Promise.resolve();
  return async (): Promise<() => void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = last;
    last = promise;
    await before;
    return resolve;
  };
};
