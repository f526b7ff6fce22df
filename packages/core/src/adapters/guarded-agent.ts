import { Resolver, lookup as systemLookup } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import type { Agent, buildConnector } from "undici";
import { isPublicAddress } from "../domain/webhook-target.ts";
import { TargetFault } from "./http-faults.ts";

/** An address a name leads to. */
export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Finds every address of a name; rejects when there is none. */
export type ResolveHost = (hostname: string) => Promise<ResolvedAddress[]>;

const CONNECT_TIMEOUT_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;

/**
 * An undici agent that judges every address at connection time, on the very address connected to, so that a
 * name that changes between check and use gains nothing (reliability, rows 30 and 31). A connection it keeps
 * open was judged by the same rule, because an agent has one rule only.
 */
export function createGuardedAgent(
  undici: { Agent: typeof Agent; buildConnector: typeof buildConnector },
  allowPrivate: boolean,
  resolve: ResolveHost = allowPrivate ? resolveBySystem : createDnsResolver(),
): Agent {
  const isAllowed = (address: string): boolean => allowPrivate || isPublicAddress(address);
  const connect = undici.buildConnector({
    allowH2: false,
    timeout: CONNECT_TIMEOUT_MS,
    lookup: guardedLookup(resolve, isAllowed),
  });
  return new undici.Agent({
    maxHeaderSize: MAX_HEADER_BYTES,
    connect(options, callback) {
      // Literal addresses never reach the lookup.
      if (isIP(options.hostname) !== 0 && !isAllowed(options.hostname)) {
        callback(new TargetFault("blocked_address"), null);
        return;
      }
      connect(options, (error, socket) => {
        if (error) return callback(error, null);
        if (isAllowed(socket.remoteAddress ?? "")) return callback(null, socket);
        socket.destroy();
        callback(new TargetFault("blocked_address"), null);
      });
    },
  });
}

function guardedLookup(resolve: ResolveHost, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const first = addresses[0];
        // One bad address spoils the name: a mixed answer is how rebinding begins.
        const fault = !first
          ? "dns"
          : addresses.every(({ address }) => isAllowed(address))
            ? undefined
            : "blocked_address";
        if (!first || fault) callback(new TargetFault(fault ?? "dns"), "", 0);
        else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      () => callback(new TargetFault("dns"), "", 0),
    );
  };
}

/** The system's resolver, which knows the hosts file and container names: for development. */
function resolveBySystem(hostname: string): Promise<ResolvedAddress[]> {
  return systemLookup(hostname, { all: true });
}

/** DNS proper: a slow name server must not occupy the thread pool that files and passwords need. */
function createDnsResolver(): ResolveHost {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const found = (result: typeof v4, family: number): ResolvedAddress[] =>
      result.status === "fulfilled" ? result.value.map((address) => ({ address, family })) : [];
    return [...found(v4, 4), ...found(v6, 6)];
  };
}
