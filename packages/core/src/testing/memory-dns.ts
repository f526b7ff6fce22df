import type { Dns, DnsAnswer } from "../ports/dns.ts";

/** A fake DNS in memory. */
export interface MemoryDns extends Dns {
  /** Sets the TXT records of a name; an empty list removes the name. */
  set(name: string, ...texts: string[]): void;
  /** Sets the MX records of a name, each as preference, blank and host. */
  setMx(name: string, ...exchanges: string[]): void;
  /** Sets the CNAME record of a name. */
  setCname(name: string, ...hosts: string[]): void;
  /** Whether name servers answer. Default true. */
  answers: boolean;
}

/**
 * Creates a DNS for tests: every name belongs to the zone that it is queried in, and has no records until they are set.
 */
export function createMemoryDns(): MemoryDns {
  const records = {
    TXT: new Map<string, string[]>(),
    MX: new Map<string, string[]>(),
    CNAME: new Map<string, string[]>(),
  };
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
    setCname: (name, ...hosts) => void records.CNAME.set(name, hosts),
    inquire: () => ({
      zoneOf: async (_, top) => ({
        name: top,
        nameServers: [`ns1.${top}`],
        strangers: [],
        txt: async (name) => [ask("TXT", name)],
        mx: async (name) => [ask("MX", name)],
        cname: async (name) => [ask("CNAME", name)],
      }),
      txt: async (name) => ask("TXT", name),
      end: () => {},
    }),
  };
  return dns;
}
