/** Ms after which a right is checked again before what was read earlier is sent to a slow reader. */
const knownMs = 1000;

/** A caller's right to a stream, as of the last check. */
export interface StreamRight {
  /** Whether this stream's checks so far have all found the right. */
  isLeft(): boolean;
  /** Checks, unless that was done for these events or later ones: whoever lost the right before they came had lost it. */
  check(upTo: number): Promise<boolean>;
  /** Checks unless that was done within the last second. */
  checkAgain(): Promise<boolean>;
  /** Ends a stream's use of it. */
  leave(): void;
}

/** The rights of the open streams. */
export interface StreamRights {
  /** Returns the right of a stream. Streams that come with one login, `key`, share the checks. */
  watch(key: string | undefined, authorise: () => Promise<unknown>): StreamRight;
}

interface Shared {
  right: Omit<StreamRight, "leave" | "isLeft">;
  streams: number;
}

export function createStreamRights(): StreamRights {
  const shared = new Map<string, Shared>();
  return {
    watch(key, authorise) {
      if (key === undefined) return { ...noteLoss(watchRight(authorise)), leave: () => {} };
      const entry = shared.get(key) ?? { right: watchRight(authorise), streams: 0 };
      shared.set(key, entry);
      entry.streams += 1;
      return {
        ...noteLoss(entry.right),
        leave() {
          entry.streams -= 1;
          if (entry.streams === 0) shared.delete(key);
        },
      };
    },
  };
}

/**
 * Notes for one stream whether it was refused: another stream's check may find the right again, after a failure of the
 * storage, before this one has ended.
 */
function noteLoss(right: Shared["right"]): Omit<StreamRight, "leave"> {
  let isLeft = true;
  async function note(answer: Promise<boolean>): Promise<boolean> {
    if (!(await answer)) isLeft = false;
    return isLeft;
  }
  return {
    isLeft: () => isLeft,
    check: (upTo) => note(right.check(upTo)),
    checkAgain: () => note(right.checkAgain()),
  };
}

function watchRight(authorise: () => Promise<unknown>): Shared["right"] {
  let isLeft = true;
  let checkedAt = performance.now();
  let last: { upTo: number; answer: Promise<boolean> } | undefined;
  async function ask(): Promise<boolean> {
    checkedAt = performance.now();
    isLeft = await authorise().then(
      () => true,
      () => false,
    );
    // It may have been a failure of the storage: whoever comes back is judged anew.
    if (!isLeft) last = undefined;
    return isLeft;
  }
  return {
    check(upTo) {
      if (last === undefined || last.upTo < upTo) last = { upTo, answer: ask() };
      return last.answer;
    },
    checkAgain: async () => (performance.now() - checkedAt < knownMs ? isLeft : ask()),
  };
}
