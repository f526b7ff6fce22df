import type { DnsAnswer, DnsZone } from "../../ports/dns.ts";
import { ambiguous, type Verdict } from "../rules/verdict.ts";

interface Answered {
  type: "TXT" | "MX";
  /** The record's full name. */
  name: string;
  /** Asks for such records at another name. */
  ask: (name: string) => Promise<DnsAnswer[]>;
  answers: DnsAnswer[];
  judge: (texts: string[]) => Verdict;
}

/**
 * What the answers of a zone's name servers come to. Where nothing stands, looks in the places where a record ends up that was typed
 * into the wrong field.
 */
export async function judgeAnswers(zone: DnsZone, answered: Answered): Promise<Verdict> {
  const told = answered.answers.filter(({ kind }) => kind !== "silent");
  if (told.length === 0)
    return {
      status: "unreachable",
      problem: "no_answer",
      hint: "No name server answered in time. Nothing is wrong for all we know; it is tried again.",
    };
  const verdicts = told.map((answer) =>
    answer.kind === "found" ? answered.judge(answer.records.map((pieces) => pieces.join(""))) : undefined,
  );
  if (new Set(verdicts.map((verdict) => verdict && `${verdict.status} ${verdict.problem}`)).size > 1)
    return ambiguous(
      "name_servers_differ",
      `The zone's name servers say different things: ${zone.nameServers.join(", ")}. A change may be on its way; else two providers have the zone.`,
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
      `The record stands at ${doubled}: the panel adds the zone itself. Type the name without .${zone.name}.`,
    );
  if (isBare)
    return missing(
      "underscore_missing",
      `The record stands at ${bare}: the panel took the underscore away. Ask the provider for names that begin with one.`,
    );
  const alias = answers.flatMap((answer) => (answer.kind === "none" ? (answer.alias ?? []) : []))[0];
  if (alias !== undefined)
    return missing(
      "alias",
      `A CNAME stands there that leads to ${alias}, where no such record is. Delete it and add the ${type} record.`,
    );
  if (zone.nameServers.length === 0)
    return missing("zone_not_found", `${zone.name} has no name servers: is it registered, and spelt right?`);
  const kept = `the zone ${zone.name} is kept at ${zone.nameServers.join(", ")}`;
  if (zone.strangers.length > 0)
    return missing(
      "wrong_zone",
      `${kept}, and names ${zone.strangers.join(", ")} itself: the record may be in a zone that nobody asks. Add it where the domain is delegated to.`,
    );
  return missing("not_found", `Nothing stands there; ${kept}. Add the ${type} record there.`);
}
