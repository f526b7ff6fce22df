import type { LookupFunction } from "node:net";
import type { HostResolver } from "./create-host-resolver.ts";
import { LookupFault } from "./lookup-fault.ts";

/**
 * Creates the `lookup` of a socket that connects only if all addresses of the name are allowed. One forbidden address
 * is enough to refuse the name, as DNS rebinding begins with a mixed answer. IP addresses never reach a lookup: check
 * those, and the address connected to, as well.
 */
export function guardedLookup(
  { resolve }: HostResolver,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (!addresses.every(({ address }) => isAllowed(address)))
          return callback(new LookupFault(hostname, "blocked"), "", 0);
        const wanted = addresses.filter(
          ({ family }) => (options.family !== 4 && options.family !== 6) || family === options.family,
        );
        const [first] = wanted;
        if (first === undefined) callback(new LookupFault(hostname, "not_found"), "", 0);
        else if (options.all) callback(null, wanted);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, "", 0),
    );
  };
}
