/** Passes on what can be read before a fault. `assertWhole`, called behind that, throws what made the reading fail. */
export function untilFault<T>(source: AsyncIterable<T>): {
  items: AsyncGenerator<T>;
  assertWhole(): void;
} {
  let fault: { error: unknown } | undefined;
  async function* items(): AsyncGenerator<T> {
    try {
      yield* source;
    } catch (error) {
      fault = { error };
    }
  }
  return {
    items: items(),
    assertWhole() {
      if (fault !== undefined) throw fault.error;
    },
  };
}
