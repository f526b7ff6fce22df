import type { Delivery } from "../../conversation/delivery.ts";

/** Bytes from which a message is large: it may occupy a connection for a second or more. */
const largeFrom = 1_000_000;
/** Part of the connections that large messages leave to others, but for a single one. */
const leftPart = 1 / 4;

export const isLarge = ({ source }: Pick<Delivery, "source">): boolean => source.size >= largeFrom;

/** The connections that large messages occupy. */
export interface LargePlaces {
  /** Whether a message may be sent now, as far as its size is concerned. */
  hasFor(delivery: Pick<Delivery, "source">): boolean;
  take(delivery: Pick<Delivery, "source">): void;
  free(delivery: Pick<Delivery, "source">): void;
}

/**
 * Leaves some of the connections, of which there may be `places` now, to messages that are not large. One workspace's files
 * could occupy all of them for minutes otherwise, where the server reads slowly, and turns are of no use while none ends.
 */
export function createLargePlaces(places: () => number): LargePlaces {
  let taken = 0;
  return {
    hasFor: (delivery) => {
      if (!isLarge(delivery)) return true;
      const all = places();
      return taken < Math.max(1, all - Math.ceil(all * leftPart));
    },
    take(delivery) {
      if (isLarge(delivery)) taken += 1;
    },
    free(delivery) {
      if (isLarge(delivery)) taken -= 1;
    },
  };
}
