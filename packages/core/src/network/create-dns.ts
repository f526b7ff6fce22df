import { Resolver } from "node:dns/promises";
import { isIPv6 } from "node:net";
import type { Dns, DnsAnswer, DnsInquiry, DnsZone } from "../ports/dns.ts";
import type { HostResolver } from "./create-host-resolver.ts";

/** Settings of DNS queries. */
export interface DnsOptions {
  /** Resolves the name servers' names. */
  hosts: HostResolver;
  /** Whether an address may be queried, as the zone's owner chooses the addresses of its name servers. */
  isAllowed: (address: string) => boolean;
  /** Resolvers of this machine, as `address` or `address:port`. Default: the system's. */
  servers?: readonly string[];
  /** Port of the zones' name servers. Default 53. */
  port?: number;
  /** Timeout of one query in ms. Default 2,000. */
  queryMs?: number;
}

/** Maximum number of a zone's name servers that are queried. */
const maxServers = 3;

/**
 * Creates a DNS client on c-ares, which uses no thread of the pool. It queries a zone's own name servers, so that no
 * cache returns an old record.
 */
export function createDns(options: DnsOptions): Dns {
  return { inquire: (timeoutMs) => inquire(options, timeoutMs) };
}

function inquire(
  { hosts, isAllowed, servers, port = 53, queryMs = 2_000 }: DnsOptions,
  timeoutMs: number,
): DnsInquiry {
  const resolvers = new Set<Resolver>();
  let over: () => void = () => {};
  const ended = new Promise<undefined>((resolve) => {
    over = () => resolve(undefined);
  });
  const end = (): void => {
    clearTimeout(timer);
    over();
    for (const resolver of resolvers) resolver.cancel();
  };
  const timer = setTimeout(end, timeoutMs);
  const open = (addresses: readonly string[] | undefined): Resolver => {
    const resolver = new Resolver({ timeout: queryMs, tries: addresses === servers ? 2 : 1 });
    if (addresses) resolver.setServers(addresses);
    resolvers.add(resolver);
    return resolver;
  };
  const system = open(servers);

  /**
   * Resolves to the answer, or to `undefined` once the inquiry has ended, as a look-up of a host can't be cancelled.
   */
  const inTime = <T>(asked: Promise<T>): Promise<T | undefined> => Promise.race([asked, ended]);

  const txt = async (resolver: Resolver, name: string): Promise<DnsAnswer> =>
    (await inTime(askTxt(resolver, name))) ?? { kind: "silent" };
  const mx = async (resolver: Resolver, name: string): Promise<DnsAnswer> =>
    (await inTime(askMx(resolver, name))) ?? { kind: "silent" };
  const cname = async (resolver: Resolver, name: string): Promise<DnsAnswer> =>
    (await inTime(askCname(resolver, name))) ?? { kind: "silent" };

  async function findServers(names: readonly string[]): Promise<Resolver[]> {
    const found = await Promise.all(
      names.map(async (name) => {
        const addresses = await inTime(hosts.resolve(name).catch(() => []));
        return addresses?.find(({ address }) => isAllowed(address))?.address;
      }),
    );
    const unique = new Set(found.flatMap((address) => address ?? []));
    return [...unique].map((address) => open([`${isIPv6(address) ? `[${address}]` : address}:${port}`]));
  }

  async function openZone(name: string, nameServers: string[]): Promise<DnsZone> {
    const own = await findServers(nameServers.slice(0, maxServers));
    const named = await Promise.all(own.map((one) => inTime(askNameServers(one, name))));
    const strangers = new Set(named.flatMap((names) => names ?? []));
    const all = async (ask: typeof txt, at: string): Promise<DnsAnswer[]> => {
      const told = (await Promise.all(own.map((one) => ask(one, at)))).filter(
        ({ kind }) => kind !== "silent",
      );
      if (told.some(({ kind }) => kind === "found")) return told;
      // The name may be an alias, or in a subzone that is delegated elsewhere: only the system's resolver follows
      // these.
      const world = await ask(system, at);
      if (world.kind === "found") return [world];
      const instead =
        ask === cname
          ? { address: own[0] && (await inTime(askAddress(own[0], at))) }
          : { alias: await inTime(askAlias(own[0] ?? system, at)) };
      const answers = told.length > 0 ? told : [world];
      return answers.map((answer) => (answer.kind === "none" ? { ...answer, ...instead } : answer));
    };
    return {
      name,
      nameServers,
      strangers: [...strangers].filter((one) => !nameServers.includes(one)).sort(),
      txt: (at) => all(txt, at),
      mx: (at) => all(mx, at),
      cname: (at) => all(cname, at),
    };
  }

  return {
    async zoneOf(name, top) {
      const parts = name.split(".");
      const depth = parts.length - top.split(".").length;
      const candidates = Array.from({ length: depth + 1 }, (_, index) => parts.slice(index).join("."));
      const found = await Promise.all(
        candidates.map(async (candidate) => {
          const isElsewhere = candidate !== top && (await inTime(askAlias(system, candidate))) !== undefined;
          return isElsewhere ? [] : ((await inTime(askNameServers(system, candidate))) ?? []);
        }),
      );
      const at = found.findIndex((names) => names.length > 0);
      return openZone(candidates[at] ?? top, found[at] ?? []);
    },
    txt: (name) => txt(system, name),
    end,
  };
}

const askTxt = (resolver: Resolver, name: string): Promise<DnsAnswer> =>
  answerOf(() => resolver.resolveTxt(name));

const askMx = (resolver: Resolver, name: string): Promise<DnsAnswer> =>
  answerOf(async () => {
    const records = await resolver.resolveMx(name);
    return records.map(({ priority, exchange }) => [`${priority} ${exchange.toLowerCase()}`]).sort();
  });

const askCname = (resolver: Resolver, name: string): Promise<DnsAnswer> =>
  answerOf(async () => {
    const hosts = await resolver.resolveCname(name);
    return hosts.map((host) => [host.toLowerCase()]).sort();
  });

async function answerOf(ask: () => Promise<string[][]>): Promise<DnsAnswer> {
  try {
    const records = await ask();
    // An alias to a name without such a record results in an empty list.
    return records.length === 0 ? { kind: "none" } : { kind: "found", records };
  } catch (error) {
    return { kind: isDenial(error) ? "none" : "silent" };
  }
}

/** Returns the names of a zone's name servers in lower case, sorted; empty if there are none or the query fails. */
async function askNameServers(resolver: Resolver, name: string): Promise<string[]> {
  const names = await resolver.resolveNs(name).catch(() => []);
  return names.map((one) => one.toLowerCase()).sort();
}

async function askAlias(resolver: Resolver, name: string): Promise<string | undefined> {
  const [alias] = await resolver.resolveCname(name).catch(() => []);
  return alias;
}

/** Asks only a name server of the zone: an address from the system's resolver could be one of this network. */
async function askAddress(resolver: Resolver, name: string): Promise<string | undefined> {
  const found = await Promise.all([
    resolver.resolve4(name).catch(() => []),
    resolver.resolve6(name).catch(() => []),
  ]);
  return found.flat()[0];
}

/** Whether the name server answered that no such record exists. */
function isDenial(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return /^E(?:NOTFOUND|NODATA|BADNAME)$/.test(String(code));
}
