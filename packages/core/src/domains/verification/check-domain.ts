import type { Dns, DnsAnswer, DnsInquiry, DnsZone } from "../../ports/dns.ts";
import type {
  Domain,
  DomainFindings,
  RecordFinding,
  RecordPurpose,
  RecordType,
} from "../../ports/storage.ts";
import type { Config } from "../../service/options.ts";
import { isPublicName } from "../parse-sending-domain.ts";
import { dkimName, dkimValue, ownershipName, ownershipValue } from "../rules/dkim-names.ts";
import { judgeAlias } from "../rules/judge-alias.ts";
import { judgeExchanges } from "../rules/judge-exchanges.ts";
import { judgeKey } from "../rules/judge-key.ts";
import {
  isDmarc,
  isSpf,
  judgeDmarc,
  judgeSpf,
  lookupsOf,
  maxLookups,
  type SpfReach,
  spfValue,
} from "../rules/judge-policies.ts";
import { judgeOwnership } from "../rules/judge-text.ts";
import { returnPathDomain, returnPathSpf } from "../rules/return-path.ts";
import { trackingDomain } from "../rules/tracking-host.ts";
import type { Verdict } from "../rules/verdict.ts";
import { judgeAnswers } from "./judge-answers.ts";

/** Maximum duration of a check in ms, as a caller may wait for it. */
const checkMs = 10_000;
/** Limits on the stored texts of records, which strangers control: their number, and the characters of each. */
const maxFound = 5;
const longestFound = 600;
/** Maximum characters of a record to publish that is one of theirs with an addition. */
const longestValue = 4_000;

/** The domain to check and the settings that its records depend on. */
interface Checked {
  domain: Pick<Domain, "name" | "organisation" | "token" | "keys" | "returnPath" | "tracking">;
  config: Pick<Config, "spfInclude" | "inboundHost" | "trackingHost">;
}

/**
 * Checks all records of a domain at the zone's own name servers. Queries only TXT, MX, NS, CNAME and addresses of that zone, and
 * TXT of the public names that its SPF record includes.
 */
export async function checkDomain(dns: Dns, { domain, config }: Checked): Promise<DomainFindings> {
  const inquiry = dns.inquire(checkMs);
  try {
    const { organisation } = domain;
    const zone = await inquiry.zoneOf(domain.name, organisation);
    const home = zone.name === organisation ? zone : await inquiry.zoneOf(organisation, organisation);
    const records = await Promise.all([
      checkOwnership(zone, domain),
      ...domain.keys
        .filter(({ state }) => state !== "retired")
        .map(({ selector }) => checkKey(zone, domain, selector)),
      checkSpf(inquiry, zone, { purpose: "spf", name: domain.name, include: config.spfInclude }),
      ...(config.inboundHost === undefined ? [] : checkReturnPath(inquiry, zone, { domain, config })),
      checkTracking(zone, { domain, config }),
      checkDmarc(zone, home, domain.name),
    ]);
    return {
      ...(zone.nameServers.length > 0 && { zone: zone.name }),
      records: records.flatMap((record) => record ?? []),
    };
  } finally {
    inquiry.end();
  }
}

/** Checks the records of some of the domain's keys. */
export async function checkKeys(
  dns: Dns,
  domain: Pick<Domain, "name" | "organisation" | "keys">,
  selectors: readonly string[],
): Promise<RecordFinding[]> {
  const inquiry = dns.inquire(checkMs);
  try {
    const zone = await inquiry.zoneOf(domain.name, domain.organisation);
    return await Promise.all(selectors.map((selector) => checkKey(zone, domain, selector)));
  } finally {
    inquiry.end();
  }
}

async function checkOwnership(
  zone: DnsZone,
  { name, token }: Pick<Domain, "name" | "token">,
): Promise<RecordFinding> {
  const expected = ownershipValue(token);
  const judge = (texts: readonly string[]): Verdict => judgeOwnership(texts, expected);
  return look(zone, { purpose: "ownership", type: "TXT", name: ownershipName(name), judge });
}

async function checkKey(
  zone: DnsZone,
  { name, keys }: Pick<Domain, "name" | "keys">,
  selector: string,
): Promise<RecordFinding> {
  const key = keys.find((one) => one.selector === selector);
  if (key === undefined) throw new TypeError(`the domain has no key ${selector}`);
  const others = keys.filter((one) => one !== key);
  const expected = dkimValue(key);
  const judge = (texts: readonly string[]): Verdict => judgeKey(texts, expected, { key, others });
  return look(zone, { purpose: "dkim", type: "TXT", name: dkimName(selector, name), judge });
}

/** Checks the MX record of the return path's domain, and its SPF record. */
function checkReturnPath(
  inquiry: DnsInquiry,
  zone: DnsZone,
  { domain, config: { inboundHost = "", spfInclude } }: Checked,
): Promise<RecordFinding | undefined>[] {
  const name = returnPathDomain(domain);
  const judge = (texts: readonly string[]): Verdict => judgeExchanges(texts, inboundHost);
  const spf = async () => {
    const own = firstTexts(await zone.txt(domain.name)).some(isSpf);
    const value = returnPathSpf(domain.name, { include: spfInclude, hasSpf: own });
    return checkSpf(inquiry, zone, { purpose: "return_path", name, include: spfInclude, value });
  };
  return [look(zone, { purpose: "return_path", type: "MX", name, judge }), spf()];
}

/** Resolves to `undefined` if the domain has no tracking host, or the operator has none. */
async function checkTracking(
  zone: DnsZone,
  { domain, config: { trackingHost } }: Checked,
): Promise<RecordFinding | undefined> {
  const name = trackingDomain(domain);
  if (name === undefined || trackingHost === undefined) return undefined;
  const judge = (texts: readonly string[]): Verdict => judgeAlias(texts, trackingHost);
  return look(zone, { purpose: "tracking", type: "CNAME", name, judge });
}

/** A record to look for, and how what is found is judged. */
interface Wanted {
  purpose: RecordPurpose;
  type: RecordType;
  name: string;
  judge: (texts: string[]) => Verdict;
}

async function look(zone: DnsZone, { purpose, type, name, judge }: Wanted): Promise<RecordFinding> {
  const asked = ({ TXT: "txt", MX: "mx", CNAME: "cname" } as const)[type];
  const ask = (at: string): Promise<DnsAnswer[]> => zone[asked](at);
  const answers = await ask(name);
  return finding(
    { purpose, type, name, texts: answers.flatMap(textsOf) },
    await judgeAnswers(zone, { type, name, ask, answers, judge }),
  );
}

/** An SPF record to check. `value` is the value to publish if there is none; default: a record with the include. */
interface SpfAsked {
  purpose: "spf" | "return_path";
  name: string;
  include: string | undefined;
  value?: string;
}

/** Resolves to `undefined` if there is no record and none is needed. */
async function checkSpf(
  inquiry: DnsInquiry,
  zone: DnsZone,
  { purpose, name, include, value: wanted }: SpfAsked,
): Promise<RecordFinding | undefined> {
  const answers = await zone.txt(name);
  const texts = firstTexts(answers).filter(isSpf);
  const reach = texts[0] === undefined ? undefined : await findReach(inquiry, texts[0]);
  const value = texts.length === 0 && wanted !== undefined ? wanted : spfValue(texts[0], include, reach);
  if (value === "") return undefined;
  const about = { purpose, type: "TXT", name, texts, value } as const;
  if (answers.every(({ kind }) => kind === "silent")) return finding(about, unanswered);
  return finding(about, judgeSpf(texts, { include, reach }));
}

/** The domain's own policy takes precedence over its organisation's (RFC 7489 §6.6.3). */
async function checkDmarc(zone: DnsZone, home: DnsZone, name: string): Promise<RecordFinding> {
  const at = `_dmarc.${home.name}`;
  const [own, common] = await Promise.all([zone.txt(`_dmarc.${name}`), home.txt(at)]);
  const policies = (answers: DnsAnswer[]): string[] => firstTexts(answers).filter(isDmarc);
  const texts = policies(own).length > 0 ? policies(own) : policies(common);
  const about = { purpose: "dmarc", type: "TXT", name: at, texts } as const;
  if (texts.length === 0 && common.every(({ kind }) => kind === "silent")) return finding(about, unanswered);
  return finding(about, judgeDmarc(texts));
}

const unanswered: Verdict = { status: "unreachable", problem: "no_answer", hint: "No name server answered." };

function textsOf(answer: DnsAnswer): string[] {
  if (answer.kind === "found") return answer.records.map((pieces) => pieces.join(""));
  return answer.kind === "none" && answer.address !== undefined ? [answer.address] : [];
}

const firstTexts = (answers: DnsAnswer[]): string[] =>
  textsOf(answers.find(({ kind }) => kind === "found") ?? { kind: "none" });

function finding(
  {
    texts,
    value = "",
    ...about
  }: Pick<RecordFinding, "purpose" | "type" | "name"> & { texts: readonly string[]; value?: string },
  verdict: Verdict,
): RecordFinding {
  const found = [...new Set(texts)].slice(0, maxFound).map((text) => text.slice(0, longestFound));
  const isKept = value !== "" && value.length <= longestValue;
  return { ...about, ...verdict, ...(isKept && { value }), found };
}

/** Follows the records that an SPF record includes, until they need more look-ups than the limit. */
async function findReach(inquiry: DnsInquiry, text: string): Promise<SpfReach> {
  let { count: lookups, records } = lookupsOf(text);
  const allowed = new Set<string>();
  for (let asked = 0; records.length > 0; ) {
    for (const { name, allows } of records) if (allows) allowed.add(name);
    if (lookups > maxLookups || asked > maxLookups) break;
    const isPublic = await Promise.all(records.map(({ name }) => isPublicName(name)));
    const followed = records.filter((_, index) => isPublic[index]).slice(0, maxLookups);
    asked += Math.max(1, followed.length);
    const answers = await Promise.all(followed.map(({ name }) => inquiry.txt(name)));
    const further = answers.map((answer) => lookupsOf(textsOf(answer).find(isSpf) ?? ""));
    lookups += further.reduce((sum, { count }) => sum + count, 0);
    records = further.flatMap((one, index) =>
      one.records.map(({ name, allows }) => ({ name, allows: allows && followed[index]?.allows === true })),
    );
  }
  return { lookups, allowed };
}
