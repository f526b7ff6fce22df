import type { HostResolver } from "@posthorn/core/network";
import type { PoolClock } from "../pool-clock.ts";

/** The addresses of one server's name, those that were of no use lately last (RFC 5321 section 5.1). */
export interface ServerAddresses extends HostResolver {
  /** A connection to this address could not be used. Returns whether there is one that may be. */
  failed(address: string): boolean;
  /** There was no connection to this address, at least not soon. */
  missed(address: string): void;
  /** None of them was of use: the one that had just failed was connected to again, as the last. */
  allFailed(): void;
}

/** Ms for which others are tried before an address that was of no use. */
const memory = 60_000;

/** Creates the addresses as `resolver` finds them, each of them thought to be of use. */
export function createAddresses(resolver: HostResolver, clock: PoolClock): ServerAddresses {
  let found: string[] = [];
  const failedAt = new Map<string, number>();
  const lastFailure = (address: string): number => {
    const at = failedAt.get(address) ?? Number.NEGATIVE_INFINITY;
    return clock.now() - at < memory ? at : Number.NEGATIVE_INFINITY;
  };
  return {
    async resolve(hostname) {
      const addresses = await resolver.resolve(hostname);
      found = addresses.map(({ address }) => address);
      if (failedAt.size === 0) return addresses;
      for (const known of failedAt.keys()) if (!found.includes(known)) failedAt.delete(known);
      return addresses.toSorted((one, other) => {
        const [first, second] = [lastFailure(one.address), lastFailure(other.address)];
        return first === second ? 0 : first - second;
      });
    },
    failed(address) {
      failedAt.set(address, clock.now());
      return found.some((other) => lastFailure(other) === Number.NEGATIVE_INFINITY);
    },
    missed(address) {
      failedAt.set(address, clock.now());
    },
    allFailed() {
      for (const address of found) failedAt.set(address, clock.now());
    },
  };
}
