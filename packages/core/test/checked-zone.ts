import { afterAll, beforeAll, beforeEach } from "vitest";
import { checkDomain } from "../src/domains/verification/check-domain.ts";
import { createDns } from "../src/network/create-dns.ts";
import { createHostResolver } from "../src/network/create-host-resolver.ts";
import type { Dns } from "../src/ports/dns.ts";
import type { Domain, RecordFinding, RecordPurpose } from "../src/ports/storage.ts";
import { type DnsServer, type Standing, startDnsServer } from "./dns-server.ts";

const keyOf = (letter: string): string => letter.repeat(392);
export const [active, standby, retired] = ["A", "B", "C"].map(keyOf) as [string, string, string];
export const recordOf = (key: string): string => `v=DKIM1; k=rsa; p=${key}`;
export const inStrings = (text: string): string[] => text.match(/.{1,255}/g) ?? [];
export const ownership = "posthorn-verification=abcdefghijklmnopqrstuvwxyz";

export const names = {
  ownership: "_posthorn.shop.example",
  active: "ph1._domainkey.shop.example",
  standby: "ph2._domainkey.shop.example",
};

export const stored = {
  algorithm: "rsa-2048",
  isPublished: false,
  privateKey: "",
  createdAt: 0,
  activatedAt: 0,
  retiredAt: undefined,
} as const;

export const domain: Pick<Domain, "name" | "organisation" | "token" | "keys" | "returnPath" | "tracking"> = {
  name: "shop.example",
  organisation: "shop.example",
  token: "abcdefghijklmnopqrstuvwxyz",
  returnPath: "bounces",
  tracking: "tracking",
  keys: [
    { ...stored, selector: "ph0", publicKey: retired, state: "retired" },
    { ...stored, selector: "ph1", publicKey: active, state: "active" },
    { ...stored, selector: "ph2", publicKey: standby, state: "standby" },
  ],
};

/** The zone's own name server. The other is this machine's resolver. */
export let zone: DnsServer;

export let world: DnsServer;

export const createTestDns = (isAllowed: (address: string) => boolean = () => true): Dns =>
  createDns({
    hosts: createHostResolver({ servers: [world.address], hostsFile: "/dev/null", resolvConf: "/dev/null" }),
    isAllowed,
    servers: [world.address],
    port: zone.port,
    // c-ares gives up a query whose answer is there when the process was suspended for this long.
    queryMs: 60_000,
  });

export async function check(
  options: { spfInclude?: string; inboundHost?: string; trackingHost?: string; dns?: Dns } = {},
): Promise<RecordFinding[]> {
  const { spfInclude, inboundHost, trackingHost, dns = createTestDns() } = options;
  return (await checkDomain(dns, { domain, config: { spfInclude, inboundHost, trackingHost } })).records;
}

export const find = (
  found: RecordFinding[],
  purpose: RecordPurpose,
  name?: string,
): RecordFinding | undefined =>
  found.find((one) => one.purpose === purpose && (name === undefined || one.name === name));

export const put = (name: string, standing: Standing | undefined): void => {
  if (standing === undefined) delete zone.records[name];
  else zone.records[name] = standing;
};

/** Serves the zone with all its records, started for each test of a file. */
export function serveZoneForEach(): void {
  beforeAll(async () => {
    zone = await startDnsServer("127.0.0.2");
    world = await startDnsServer();
  });
  afterAll(() => Promise.all([zone.close(), world.close()]));
  beforeEach(() => {
    zone.asked.length = 0;
    world.asked.length = 0;
    zone.records = {
      "shop.example": { ns: ["ns1.host.example"] },
      [names.ownership]: { txt: [ownership] },
      [names.active]: { txt: [inStrings(recordOf(active))] },
      [names.standby]: { txt: [inStrings(recordOf(standby))] },
      "_dmarc.shop.example": { txt: ["v=DMARC1; p=none"] },
    };
    world.records = {
      "shop.example": { ns: ["ns1.host.example"] },
      "ns1.host.example": { a: "127.0.0.2" },
    };
  });
}
