import type { DnsAnswer, DnsZone } from "../../ports/dns.ts";
import type { RecordType } from "../../ports/storage.ts";
import { ambiguous, type Verdict } from "../rules/verdict.ts";

interface Answered {
  type: RecordType;
  /** The record's full name. */
  name: string;
  /** Queries records of the same type at another name. */
  ask: (name: string) => Promise<DnsAnswer[]>;
  answers: DnsAnswer[];
  judge: (texts: string[]) => Verdict;
}

/**
 * Judges the answers of a zone's name servers. If the record is missing, it also looks where a record ends up that was
 * typed into the wrong field of a DNS panel.
 */
export async function judgeAnswers(zone: DnsZone, answered: Answered): Promise<Verdict> {
  const told = answered.answers.filter(({ kind }) => kind !== "silent");
  if (told.length === 0)
    return {
      status: "unreachable",
      problem: "no_answer",
      hint: "No name server answered in time. The check is repeated later.",
    };
  const verdicts = told.map((answer) =>
    answer.kind === "found" ? answered.judge(answer.records.map((pieces) => pieces.join(""))) : undefined,
  );
  if (new Set(verdicts.map((verdict) => verdict && `${verdict.status} ${verdict.problem}`)).size > 1)
    return ambiguous(
      "name_servers_differ",
      `The zone's name servers give different answers: ${listed(zone.nameServers)}. A change may still be spreading, or two providers serve the zone.`,
    );
  return verdicts[0] ?? (await explainAbsence(zone, answered));
}

async function explainAbsence(
  zone: DnsZone,
  { type, name, ask, answers, judge }: Answered,
): Promise<Verdict> {
  const missing = (problem: Verdict["problem"], hint: string): Verdict => ({
    status: "missing",
    problem,
    hint,
  });
  const isThere = async (place: string): Promise<boolean> =>
    (await ask(place)).some(
      (answer) =>
        answer.kind === "found" && judge(answer.records.map((pieces) => pieces.join(""))).status === "ok",
    );
  const doubled = `${name}.${zone.name}`;
  const bare = name.replace(/(^|\.)_/g, "$1");
  const [isDoubled, isBare] = await Promise.all([isThere(doubled), bare !== name && isThere(bare)]);
  if (isDoubled)
    return missing(
      "name_doubled",
      `The record is at ${doubled}: the DNS panel adds the zone itself. Type the name without .${zone.name}.`,
    );
  if (isBare)
    return missing(
      "underscore_missing",
      `The record is at ${bare}: the DNS panel removed the underscore. Ask the provider how to use names that begin with one.`,
    );
  const alias = answers.flatMap((answer) => (answer.kind === "none" ? (answer.alias ?? []) : []))[0];
  if (alias !== undefined)
    return missing(
      "alias",
      `This name has a CNAME record to ${alias}, which has no such record. Delete the CNAME and add the ${type} record.`,
    );
  const address = answers.flatMap((answer) => (answer.kind === "none" ? (answer.address ?? []) : []))[0];
  if (address !== undefined)
    return missing(
      "address",
      `This name has the address ${address} instead of a ${type} record. Delete its A and AAAA records and add the ${type} record. If the DNS provider answers for the name itself (a proxy), switch that off.`,
    );
  if (zone.nameServers.length === 0)
    return missing(
      "zone_not_found",
      `${zone.name} has no name servers: check its registration and spelling.`,
    );
  const kept = `the zone ${zone.name} is served by ${listed(zone.nameServers)}`;
  if (zone.strangers.length > 0)
    return missing(
      "wrong_zone",
      `${kept}, but its own NS records name ${listed(zone.strangers)}: the record may be in a zone that no resolver queries. Add it at the name servers that the domain is delegated to.`,
    );
  return missing("not_found", `The record does not exist; ${kept}. Add the ${type} record there.`);
}

/** Maximum name servers that a hint names. It is stored with each record, and strangers choose how many a zone has. */
const maxListed = 8;

function listed(names: readonly string[]): string {
  const more = names.length - maxListed;
  const first = names.slice(0, maxListed).join(", ");
  return more > 0 ? `${first} and ${more} more` : first;
}
