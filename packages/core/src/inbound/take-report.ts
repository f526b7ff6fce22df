import { bounceHappening, type HappeningOrigin } from "../mail/happenings.ts";
import type { EmailHappening, Tidings } from "../mail/tidings.ts";
import { addressKey } from "../ports/storage/address-key.ts";
import type { RecipientReport, ReportSource } from "../ports/storage/recipient-report.ts";
import type { InboundEffect, ReportedEmail } from "../ports/storage/reports.ts";
import type { Repositories } from "../ports/storage.ts";
import { parseAddress } from "../rules/addresses.ts";
import type { Runtime } from "../service/runtime.ts";
import type { BounceRule } from "./rules/bounce-rules.ts";
import { classifyRefusal } from "./rules/classify-refusal.ts";
import type { Finding, Mentions } from "./rules/report.ts";
import { keyOf, type ReportedRecipient, suppressReported } from "./suppress-reported.ts";

/** What is reported, and how far it can be believed. */
export interface Reported {
  findings: readonly Finding[];
  mentions: Mentions;
  source: ReportSource;
  /** The workspace whose e-mails alone may be meant; `undefined` where the report came from nobody's endpoint or key. */
  workspaceId: number | undefined;
  /** Whether who reports has proved to be who they say: then any mention will do. Otherwise a signed one is needed to suppress. */
  isAuthenticated: boolean;
  /** The relay's own id of the message, where its webhook tells one. */
  remoteId?: string | undefined;
}

/** What came of a report. */
export interface Taken {
  /** The e-mail that it is about; `undefined` where it is about none that is known. */
  found: ReportedEmail | undefined;
  effects: InboundEffect[];
}

/** What taking a report needs. */
export interface Taking {
  storage: Repositories;
  runtime: Pick<Runtime, "reportTokens" | "newId" | "queueClock" | "config">;
  /** Who brings it, and from where. */
  caller: HappeningOrigin["caller"];
  client: { ip: string };
  /** ms since the epoch. */
  now: number;
  /** Told of each new bounce, complaint and delay. */
  happen: (happening: EmailHappening) => void;
  /** Given the rows that tell of suppressions. */
  record: (tidings: Tidings) => void;
}

/** The place that stands for the whole e-mail. */
const wholeEmail = 255;

/**
 * Applies a report in the caller's transaction: once by e-mail, recipient and kind, however often it comes. The status of an e-mail
 * stays; what came of it at the recipient is told by an event (platform.md P7).
 */
export async function takeReport(taking: Taking, reported: Reported): Promise<Taken> {
  const identified = await identify(taking, reported);
  if (identified === undefined) return { found: undefined, effects: [] };
  const { found, position: named } = identified;
  const meant = new Map<string, Meant>();
  for (const finding of reported.findings) {
    const position = named ?? findPosition(found, finding, identified.isProven);
    // The first that tells of a recipient counts: a token names one, whatever addresses the mail was forwarded to.
    if (position !== undefined && !meant.has(`${position} ${finding.kind}`))
      meant.set(`${position} ${finding.kind}`, { position, finding });
  }
  const effects: InboundEffect[] = [];
  const believed: Believed[] = [];
  for (const one of meant.values()) {
    const { report, recipient, isNew } = await takeFinding(taking, reported, { found, ...one });
    const { kind, category } = report;
    effects.push({ kind, recipient, class: report.class, category, effect: isNew ? "noted" : "known" });
    const { id: emailId, workspaceId } = found.email;
    if (isNew && identified.isProven && one.finding.isStructured)
      believed.push({ ...report, address: recipient, workspaceId, emailId });
  }
  const suppressed = await suppressBelieved(taking, believed);
  const { workspaceId } = found.email;
  return {
    found,
    effects: effects.map((effect) =>
      effect.effect === "noted" && suppressed.has(keyOf({ workspaceId, address: effect.recipient }))
        ? { ...effect, effect: "suppressed" }
        : effect,
    ),
  };
}

type Believed = RecipientReport & ReportedRecipient;

/** The addresses that get no more mail now. */
async function suppressBelieved(taking: Taking, believed: Believed[]): Promise<ReadonlySet<string>> {
  const { storage, runtime, now, caller, client, record } = taking;
  const origin = { caller, clientIp: client.ip, now };
  const { suppressed, tidings } = await suppressReported(runtime, storage, believed, origin);
  record(tidings);
  return suppressed;
}

interface Meant {
  position: number;
  finding: Finding;
}

interface Identified {
  found: ReportedEmail;
  /** The recipient that a token names. */
  position: number | undefined;
  /** Whether only who was meant to know could have named it so. */
  isProven: boolean;
}

/** By what is signed first; what anybody knows who got the mail comes last (platform.md P7). */
async function identify(
  { storage, runtime }: Taking,
  { mentions, workspaceId, isAuthenticated, remoteId, findings }: Reported,
): Promise<Identified | undefined> {
  const isOurs = (found: ReportedEmail | undefined): found is ReportedEmail =>
    found !== undefined && (workspaceId === undefined || found.email.workspaceId === workspaceId);
  for (const token of mentions.tokens) {
    const subject = runtime.reportTokens.read(token);
    if (subject === undefined) continue;
    const found = await storage.reports.findEmail({ row: subject.row });
    if (!isOurs(found)) continue;
    // A place that the e-mail does not have is no place.
    const position = found.recipients[subject.position ?? -1] === undefined ? undefined : subject.position;
    return { found, position, isProven: true };
  }
  for (const id of mentions.emailIds) {
    const found = await storage.reports.findEmail({ id });
    if (isOurs(found)) return { found, position: undefined, isProven: isAuthenticated };
  }
  if (remoteId === undefined || workspaceId === undefined) return undefined;
  for (const address of findings.flatMap(({ addresses }) => addresses.slice(0, 1)).slice(0, 5)) {
    const found = await storage.reports.findByRemoteId(workspaceId, address, remoteId);
    if (found !== undefined) return { found, position: undefined, isProven: isAuthenticated };
  }
  return undefined;
}

/** The recipient whose address the report tells; of an e-mail to one, that one, if the e-mail itself is proven. */
function findPosition(
  { recipients }: ReportedEmail,
  { addresses }: Finding,
  isProven: boolean,
): number | undefined {
  const keys = addresses.map((address) => addressKey(parseAddress(address) ?? address));
  for (const key of keys) {
    const position = recipients.findIndex(({ address }) => addressKey(address) === key);
    if (position >= 0) return position;
  }
  return isProven && recipients.length === 1 ? 0 : undefined;
}

async function takeFinding(
  { storage, runtime, now, happen }: Taking,
  { source }: Reported,
  { found, position, finding }: Pick<Identified, "found"> & Meant,
): Promise<{ report: RecipientReport; recipient: string; isNew: boolean }> {
  const recipient = found.recipients[position]?.address ?? "";
  const report = reportOf(found, { position, finding, source, now, rules: runtime.config.bounceRules });
  const wasTold = report.kind === "delay" && (await wasDelayed(storage, found));
  const isNew = !wasTold && (await storage.reports.note([report])).length > 0;
  if (isNew) happen(happeningOf(found, report, recipient));
  return { report, recipient, isNew };
}

function reportOf(
  { row }: ReportedEmail,
  {
    position,
    finding,
    source,
    now,
    rules,
  }: Meant & { source: ReportSource; now: number; rules: readonly BounceRule[] },
): RecipientReport {
  const { kind, status, reply, feedback } = finding;
  const told = { row, kind, reply, source, at: now };
  if (kind === "complaint")
    return {
      ...told,
      position,
      class: "complaint",
      category: feedback ?? "abuse",
      enhancedCode: undefined,
    };
  const bounce = classifyRefusal({ status, reply, stage: "recipient" }, rules);
  return { ...told, ...bounce, position: kind === "delay" ? wholeEmail : position };
}

/** Whether the e-mail's delay has been told of our own attempts. */
async function wasDelayed({ emails }: Repositories, { email }: ReportedEmail): Promise<boolean> {
  return (await emails.attempts(email.id)).some(({ outcome }) => outcome === "deferred");
}

function happeningOf({ email }: ReportedEmail, report: RecipientReport, address: string): EmailHappening {
  const { reply, source, category, at } = report;
  if (report.kind === "bounce") return bounceHappening(email, { ...report, address });
  if (report.kind === "delay")
    return {
      type: "email.delivery_delayed",
      email,
      at,
      metadata: { reply },
      data: { recipient: address, reply },
    };
  const data = { recipient: address, class: "complaint", category, reply, source } as const;
  return { type: "email.complained", email, at, metadata: data, data };
}
