import type { Dns, DnsInquiry, DnsZone, TxtAnswer } from "../../ports/dns.ts";
import type { Domain, DomainFindings, RecordFinding, RecordPurpose } from "../../ports/storage/domains.ts";
import { isPublicName } from "../parse-sending-domain.ts";
import { dkimName, dkimValue, ownershipName, ownershipValue } from "../rules/dkim-names.ts";
import { judgeKey } from "../rules/judge-key.ts";
import {
  isDmarc,
  isSpf,
  judgeDmarc,
  judgeSpf,
  lookupsOf,
  mostLookups,
  spfValue,
} from "../rules/judge-policies.ts";
import { judgeOwnership } from "../rules/judge-text.ts";
import type { Verdict } from "../rules/verdict.ts";
import { judgeAnswers } from "./judge-answers.ts";

/** Ms that a check takes at the most: somebody may wait for it. */
const checkMs = 10_000;
/** What is kept of strangers' texts. */
const mostFound = 5;
const longestFound = 600;

/** What is asked of a domain's DNS. */
interface Checked {
  domain: Pick<Domain, "name" | "organisation" | "token" | "keys">;
  /** What the domain's SPF record should include. */
  spfInclude: string | undefined;
}

/**
 * Looks at every record of a domain, at the zone's own name servers. Asks for nothing but TXT, NS and CNAME of that zone, and TXT of
 * public names that its SPF record includes.
 */
export async function checkDomain(dns: Dns, { domain, spfInclude }: Checked): Promise<DomainFindings> {
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
      checkSpf(inquiry, zone, { name: domain.name, include: spfInclude }),
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

/** Looks at the record of one of the domain's keys. */
export async function checkStandby(
  dns: Dns,
  domain: Pick<Domain, "name" | "organisation" | "keys">,
  selector: string,
): Promise<RecordFinding> {
  const inquiry = dns.inquire(checkMs);
  try {
    return await checkKey(await inquiry.zoneOf(domain.name, domain.organisation), domain, selector);
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
  return look(zone, { purpose: "ownership", name: ownershipName(name), judge });
}

async function checkKey(
  zone: DnsZone,
  { name, keys }: Pick<Domain, "name" | "keys">,
  selector: string,
): Promise<RecordFinding> {
  const key = keys.find((one) => one.selector === selector);
  if (key === undefined) throw new TypeError(`the domain has no key ${selector}`);
  const others = keys.filter((one) => one !== key);
  const expected = dkimValue(key.publicKey);
  const judge = (texts: readonly string[]): Verdict => judgeKey(texts, expected, { key, others });
  return look(zone, { purpose: "dkim", name: dkimName(selector, name), judge });
}

async function look(
  zone: DnsZone,
  { purpose, name, judge }: { purpose: RecordPurpose; name: string; judge: (texts: string[]) => Verdict },
): Promise<RecordFinding> {
  const answers = await zone.txt(name);
  return finding(
    { purpose, name, texts: answers.flatMap(textsOf) },
    await judgeAnswers(zone, { name, answers, judge }),
  );
}

/** `undefined` where there is none and none is asked for. */
async function checkSpf(
  inquiry: DnsInquiry,
  zone: DnsZone,
  { name, include }: { name: string; include: string | undefined },
): Promise<RecordFinding | undefined> {
  const answers = await zone.txt(name);
  const texts = firstTexts(answers).filter(isSpf);
  const value = spfValue(texts[0], include);
  if (value === "") return undefined;
  const about = { purpose: "spf", name, texts, value } as const;
  if (answers.every(({ kind }) => kind === "silent")) return finding(about, unanswered);
  const lookups = texts[0] === undefined ? 0 : await countLookups(inquiry, texts[0]);
  return finding(about, judgeSpf(texts, { include, lookups }));
}

/** The domain's own policy counts before its organisation's (RFC 7489 §6.6.3). */
async function checkDmarc(zone: DnsZone, home: DnsZone, name: string): Promise<RecordFinding> {
  const at = `_dmarc.${home.name}`;
  const [own, common] = await Promise.all([zone.txt(`_dmarc.${name}`), home.txt(at)]);
  const policies = (answers: TxtAnswer[]): string[] => firstTexts(answers).filter(isDmarc);
  const texts = policies(own).length > 0 ? policies(own) : policies(common);
  const about = { purpose: "dmarc", name: at, texts } as const;
  if (texts.length === 0 && common.every(({ kind }) => kind === "silent")) return finding(about, unanswered);
  return finding(about, judgeDmarc(texts));
}

const unanswered: Verdict = { status: "unreachable", problem: "no_answer", hint: "No name server answered." };

const textsOf = (answer: TxtAnswer): string[] =>
  answer.kind === "found" ? answer.records.map((pieces) => pieces.join("")) : [];

const firstTexts = (answers: TxtAnswer[]): string[] =>
  textsOf(answers.find(({ kind }) => kind === "found") ?? { kind: "none" });

function finding(
  { texts, ...about }: { purpose: RecordPurpose; name: string; texts: readonly string[]; value?: string },
  verdict: Verdict,
): RecordFinding {
  const found = [...new Set(texts)].slice(0, mostFound).map((text) => text.slice(0, longestFound));
  return { ...about, ...verdict, found };
}

/** Look-ups that an SPF record costs, those of the records it includes counted along; it stops counting beyond the limit. */
async function countLookups(inquiry: DnsInquiry, text: string): Promise<number> {
  let { count, records } = lookupsOf(text);
  for (let asked = 0; records.length > 0 && count <= mostLookups && asked <= mostLookups; ) {
    const isPublic = await Promise.all(records.map(isPublicName));
    const names = records.filter((_, index) => isPublic[index]).slice(0, mostLookups);
    asked += Math.max(1, names.length);
    const answers = await Promise.all(names.map((name) => inquiry.txt(name)));
    const further = answers.map((answer) => lookupsOf(textsOf(answer).find(isSpf) ?? ""));
    count += further.reduce((sum, one) => sum + one.count, 0);
    records = further.flatMap((one) => one.records);
  }
  return count;
}
