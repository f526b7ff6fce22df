import { Resolver } from "node:dns/promises";
import { isIPv6 } from "node:net";
import type { Dns, DnsAnswer, DnsInquiry, DnsZone } from "../ports/dns.ts";
import type { HostResolver } from "./create-host-resolver.ts";

/** What asking takes. */
export interface DnsOptions {
  /** Finds the name servers' addresses. */
  hosts: HostResolver;
  /** Which of them may be asked: a zone's owner writes down where its name servers are. */
  isAllowed: (address: string) => boolean;
  /** The resolvers of this machine, as `address` or `address:port`. Default: the system's. */
  servers?: readonly string[];
  /** Where name servers listen. Default 53. */
  port?: number;
}

/** Ms that one question waits. */
const queryMs = 2_000;
/** Name servers of a zone that are asked. */
const mostServers = 3;

/** Asks the domain name system by c-ares, which takes no thread: the name servers of a zone themselves, so that no cache tells of yesterday. */
export function createDns(options: DnsOptions): Dns {
  return { inquire: (timeoutMs) => inquire(options, timeoutMs) };
}

function inquire({ hosts, isAllowed, servers, port = 53 }: DnsOptions, timeoutMs: number): DnsInquiry {
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

  /** What was asked, or `undefined` once the inquiry is over: a host's look-up can't be cancelled. */
  const inTime = <T>(asked: Promise<T>): Promise<T | undefined> => Promise.race([asked, ended]);

  const txt = async (resolver: Resolver, name: string): Promise<DnsAnswer> =>
    (await inTime(askTxt(resolver, name))) ?? { kind: "silent" };
  const mx = async (resolver: Resolver, name: string): Promise<DnsAnswer> =>
    (await inTime(askMx(resolver, name))) ?? { kind: "silent" };

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
    const own = await findServers(nameServers.slice(0, mostServers));
    const named = await Promise.all(own.map((one) => inTime(askNameServers(one, name))));
    const strangers = new Set(named.flatMap((names) => names ?? []));
    const all = async (ask: typeof txt, at: string): Promise<DnsAnswer[]> => {
      const told = (await Promise.all(own.map((one) => ask(one, at)))).filter(
        ({ kind }) => kind !== "silent",
      );
      if (told.some(({ kind }) => kind === "found")) return told;
      // A part of the zone may be kept elsewhere, or the name leads on: only the world's way follows.
      const world = await ask(system, at);
      if (world.kind === "found") return [world];
      const alias = (await inTime(askAlias(own[0] ?? system, at))) ?? undefined;
      const answers = told.length > 0 ? told : [world];
      return answers.map((answer) => (answer.kind === "none" ? { ...answer, alias } : answer));
    };
    return {
      name,
      nameServers,
      strangers: [...strangers].filter((one) => !nameServers.includes(one)).sort(),
      txt: (at) => all(txt, at),
      mx: (at) => all(mx, at),
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

async function answerOf(ask: () => Promise<string[][]>): Promise<DnsAnswer> {
  try {
    const records = await ask();
    // An alias that leads to no such record comes to an empty list.
    return records.length === 0 ? { kind: "none" } : { kind: "found", records };
  } catch (error) {
    return { kind: isDenial(error) ? "none" : "silent" };
  }
}

/** In lower case and in order; none where nobody tells of any. */
async function askNameServers(resolver: Resolver, name: string): Promise<string[]> {
  const names = await resolver.resolveNs(name).catch(() => []);
  return names.map((one) => one.toLowerCase()).sort();
}

async function askAlias(resolver: Resolver, name: string): Promise<string | undefined> {
  const [alias] = await resolver.resolveCname(name).catch(() => []);
  return alias;
}

/** Whether a name server said that there is none. */
function isDenial(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return /^E(?:NOTFOUND|NODATA|BADNAME)$/.test(String(code));
}
