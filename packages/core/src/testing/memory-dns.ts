import type { Dns, DnsAnswer } from "../ports/dns.ts";

/** A domain name system that asks nobody. */
export interface MemoryDns extends Dns {
  /** Puts TXT records at a name in place of those that are there; none takes the name away. */
  set(name: string, ...texts: string[]): void;
  /** The same with MX records, each as preference, blank and host. */
  setMx(name: string, ...exchanges: string[]): void;
  /** Whether name servers answer at all. Default true. */
  answers: boolean;
}

/** A domain name system for tests: every name lies in the zone that it is asked for from, and nothing stands anywhere until it is set. */
export function createMemoryDns(): MemoryDns {
  const records = { TXT: new Map<string, string[]>(), MX: new Map<string, string[]>() };
  const ask = (type: keyof typeof records, name: string): DnsAnswer => {
    if (!dns.answers) return { kind: "silent" };
    const texts = records[type].get(name) ?? [];
    return texts.length === 0
      ? { kind: "none" }
      : { kind: "found", records: texts.map((text) => text.match(/.{1,255}/gs) ?? [""]) };
  };
  const dns: MemoryDns = {
    answers: true,
    set: (name, ...texts) => void records.TXT.set(name, texts),
    setMx: (name, ...exchanges) => void records.MX.set(name, exchanges),
    inquire: () => ({
      zoneOf: async (_, top) => ({
        name: top,
        nameServers: [`ns1.${top}`],
        strangers: [],
        txt: async (name) => [ask("TXT", name)],
        mx: async (name) => [ask("MX", name)],
      }),
      txt: async (name) => ask("TXT", name),
      end: () => {},
    }),
  };
  return dns;
}
