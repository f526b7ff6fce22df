import { Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { createHostFiles, type HostFilesOptions } from "./create-host-files.ts";
import { LookupFault } from "./lookup-fault.ts";
import type { ResolvedAddress } from "./resolved-address.ts";

/** Resolves host names to addresses. */
export interface HostResolver {
  /** Returns all addresses of a host name, IPv4 first, at least one. Rejects with a `LookupFault`. */
  resolve(hostname: string): Promise<ResolvedAddress[]>;
}

/** Settings of a resolver. */
export interface HostResolverOptions extends HostFilesOptions {
  /** Name servers as `address` or `address:port`. Default: the system's, read again every minute. */
  servers?: readonly string[];
  /** Timeout for a name in ms. Default 5,000. */
  timeoutMs?: number;
  /**
   * Whether a name that is not found is also looked up in the system's search domains, as internal names of clusters
   * need. Default false.
   */
  searches?: boolean;
  /** Monotonic clock in ms. */
  now?: () => number;
}

interface Answer {
  addresses: ResolvedAddress[];
  ttlMs: number;
}

/** Ms until a query without an answer is repeated. */
const queryMs = 1_500;
/** Ms that the addresses of one family wait for those of the other (RFC 8305 §3 gives 50; slow servers are common). */
const otherFamilyMs = 250;
/** Ms after which the system's name servers are read again, as a machine may change its network. */
const channelMs = 60_000;
const longestTtlMs = 300_000;
const notFoundMs = 10_000;
const capacity = 1_000;

/**
 * Creates a resolver that queries name servers itself (c-ares). It uses no thread of the pool, which passwords, files
 * and signatures need: a tenant's name whose server does not answer costs only a timer. It honours the hosts file,
 * caches answers for their time to live, at most five minutes, and shares concurrent look-ups of a name.
 */
export function createHostResolver(options: HostResolverOptions = {}): HostResolver {
  const { now = () => performance.now() } = options;
  const files = createHostFiles(options);
  const channel = createChannel(options, now);
  const kept = new Map<string, { found: ResolvedAddress[] | LookupFault; until: number }>();
  const underWay = new Map<string, Promise<ResolvedAddress[]>>();

  async function find(name: string): Promise<Answer> {
    const { hosts, search } = await files.read();
    const fixed = hosts.get(name) ?? (/(?:^|\.)localhost$/.test(name) ? loopback : undefined);
    if (fixed) return { addresses: fixed, ttlMs: 0 };
    const names = [name, ...(options.searches ? search.map((domain) => `${name}.${domain}`) : [])];
    for (const candidate of names) {
      const answer = await query(channel(), candidate, options.timeoutMs ?? 5_000);
      if (answer) return answer;
    }
    throw new LookupFault(name, "not_found");
  }

  function keep(name: string, found: ResolvedAddress[] | LookupFault, forMs: number): void {
    kept.delete(name);
    if (forMs <= 0) return;
    kept.set(name, { found, until: now() + forMs });
    const [oldest] = kept.keys();
    if (kept.size > capacity && oldest !== undefined) kept.delete(oldest);
  }

  async function lookUp(name: string): Promise<ResolvedAddress[]> {
    try {
      const { addresses, ttlMs } = await find(name);
      keep(name, addresses, Math.min(ttlMs, longestTtlMs));
      return addresses;
    } catch (error) {
      if (error instanceof LookupFault && error.reason === "not_found") keep(name, error, notFoundMs);
      throw error;
    } finally {
      underWay.delete(name);
    }
  }

  return {
    async resolve(hostname) {
      const family = isIP(hostname);
      if (family !== 0) return [{ address: hostname, family: family === 4 ? 4 : 6 }];
      const name = domainToASCII(hostname).replace(/\.$/, "");
      if (name === "") throw new LookupFault(hostname, "not_found");
      const known = kept.get(name);
      if (known && known.until > now()) {
        if (known.found instanceof LookupFault) throw known.found;
        return known.found;
      }
      const pending = underWay.get(name) ?? lookUp(name);
      underWay.set(name, pending);
      return pending;
    },
  };
}

const loopback: ResolvedAddress[] = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
];

function createChannel({ servers }: HostResolverOptions, now: () => number): () => Resolver {
  let resolver: Resolver | undefined;
  let until = 0;
  return () => {
    if (resolver === undefined || now() >= until) {
      resolver = new Resolver({ timeout: queryMs, tries: 2 });
      if (servers) resolver.setServers(servers);
      until = now() + channelMs;
    }
    return resolver;
  };
}

interface Found extends Answer {
  /** Whether the name server answered that no such record exists. */
  denied: boolean;
}

/**
 * Queries the name servers for a name; `undefined` if they answer that there is nothing. Rejects with a `LookupFault`
 * if none answers in time.
 */
async function query(resolver: Resolver, name: string, timeoutMs: number): Promise<Answer | undefined> {
  const families: Found[] = [];
  const asked = ([4, 6] as const).map((family) => queryFamily(resolver, name, family));
  await new Promise<void>((resolve) => {
    let timer = setTimeout(resolve, timeoutMs);
    const note = (found: Found): void => {
      families.push(found);
      if (families.length === asked.length) {
        clearTimeout(timer);
        resolve();
      } else if (found.addresses.length > 0) {
        clearTimeout(timer);
        timer = setTimeout(resolve, Math.min(otherFamilyMs, timeoutMs));
      }
    };
    for (const one of asked) void one.then(note);
  });
  const addresses = families.flatMap((one) => one.addresses).sort((a, b) => a.family - b.family);
  if (addresses.length > 0) {
    const ttls = families.filter((one) => one.addresses.length > 0).map(({ ttlMs }) => ttlMs);
    return { addresses, ttlMs: Math.min(...ttls) };
  }
  if (families.length === asked.length && families.every(({ denied }) => denied)) return undefined;
  throw new LookupFault(name, "unavailable");
}

async function queryFamily(resolver: Resolver, name: string, family: 4 | 6): Promise<Found> {
  try {
    const records = await (family === 4
      ? resolver.resolve4(name, { ttl: true })
      : resolver.resolve6(name, { ttl: true }));
    return {
      addresses: records.map(({ address }) => ({ address, family })),
      ttlMs: Math.min(...records.map(({ ttl }) => ttl)) * 1_000,
      // A name that only leads to another has no address either, if that has none.
      denied: records.length === 0,
    };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return { addresses: [], ttlMs: 0, denied: /^E(?:NOTFOUND|NODATA|BADNAME)$/.test(String(code)) };
  }
}
