import { isbot } from "isbot";
import type { AgentClass, MachineReason } from "../../ports/storage.ts";

/** A request for a tracked link or image, as far as it tells who made it. */
export interface Visit {
  /** The client's address; empty if it is not known. */
  ip: string;
  /** The `User-Agent` header; empty if there is none. */
  userAgent: string;
  /** Whether a header says that it is fetched before anybody asked for it. */
  isPrefetch: boolean;
}

/** Who made a visit, by itself (platform.md P11). */
export interface VisitVerdict {
  agentClass: AgentClass;
  /** Whether a machine made it, with nobody watching; `null` if that can't be known. */
  machine: boolean | null;
  /** Why, if a machine made it. */
  reason: MachineReason | undefined;
}

/** Maximum UTF-16 units of a user agent that are read. */
export const maxAgent = 500;

/** Google's and Yahoo's proxies, which load an image when the reader opens the e-mail. */
const readersProxy = /\b(?:GoogleImageProxy|YahooMailProxy|YahooCacheSystem)\b/;
/** Apple's proxies, which load each image when the e-mail arrives, name themselves by this alone. */
const applesProxy = "Mozilla/5.0";
/** Programs that look at links and images for a company before its people do. */
const scanner =
  /barracuda|proofpoint|mimecast|messagelabs|symantec|trend ?micro|fireeye|forcepoint|sophos|bitdefender|ironport|mailscanner|urlscan|safelinks|link ?(?:check|scan)|(?:Existence|Protocol) Discovery|UrlPreview|zscaler|checkpoint|cloudmark|vade/i;
const mailProgram =
  /\b(?:Outlook|ms-office|MSOffice|Thunderbird|Betterbird|Mailspring|Mailbird|eM ?Client|Airmail|Spark|K-9|FairEmail|Lotus-Notes|Postbox|Evolution|KMail|Canary|Edison|BlueMail|Superhuman)\b/i;
/** Apple's mail programs load pictures as a browser without a name. */
const applesMail =
  /^Mozilla\/5\.0 \((?:Macintosh|iPhone|iPad)[^)]*\) AppleWebKit\/[\d.]+ \(KHTML, like Gecko\)(?: Mobile\/\w+)?$/;
const browser = /^(?:Mozilla|Opera)\/\d/;

const machine = (reason: MachineReason, agentClass: AgentClass = "machine"): VisitVerdict => ({
  agentClass,
  machine: true,
  reason,
});
const person = (agentClass: AgentClass): VisitVerdict => ({ agentClass, machine: false, reason: undefined });

/** Judges a visit by its headers. */
export function judgeVisit({ userAgent, isPrefetch }: Visit): VisitVerdict {
  const verdict = judgeAgent(userAgent.slice(0, maxAgent).trim());
  return isPrefetch && verdict.machine !== true ? machine("prefetch_header", verdict.agentClass) : verdict;
}

function judgeAgent(agent: string): VisitVerdict {
  if (agent === "") return { agentClass: "unknown", machine: null, reason: undefined };
  if (agent === applesProxy) return machine("image_proxy_prefetch", "image_proxy");
  if (readersProxy.test(agent)) return person("image_proxy");
  if (scanner.test(agent)) return machine("known_agent");
  if (mailProgram.test(agent) || applesMail.test(agent)) return person("mail_program");
  if (isbot(agent)) return machine("known_agent");
  return browser.test(agent)
    ? person("browser")
    : { agentClass: "unknown", machine: null, reason: undefined };
}
