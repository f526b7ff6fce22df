import { ServiceError } from "../errors.ts";
import { bounceEvent } from "../mail/email-events.ts";
import type { EmailEvent } from "../mail/notifications.ts";
import type {
  InboundEffect,
  RecipientReport,
  ReportedEmail,
  ReportSource,
  Repositories,
  Suppression,
} from "../ports/storage.ts";
import { isErased } from "../recipients/rules/erased-address.ts";
import { addressKey } from "../rules/address-key.ts";
import { parseAddress } from "../rules/addresses.ts";
import type { Runtime } from "../service/runtime.ts";
import type { BounceRule } from "./rules/bounces/bounce-rule.ts";
import { classifyRefusal } from "./rules/bounces/classify-refusal.ts";
import { isAnothers } from "./rules/reports/is-anothers.ts";
import type { Finding, Mentions } from "./rules/reports/report.ts";
import { findSuppressed, keyOf, type ReportedRecipient, type Willing } from "./suppress-reported.ts";

/** A report, and how far it is trusted. */
export interface Reported {
  findings: readonly Finding[];
  mentions: Mentions;
  source: ReportSource;
  /**
   * The only workspace whose e-mails may be concerned; `undefined` if the report did not come through an endpoint or
   * key.
   */
  workspaceId: number | undefined;
  /**
   * Whether the reporter is authenticated: then any identifier of the e-mail suffices. Otherwise only a signed one
   * leads to a suppression.
   */
  isAuthenticated: boolean;
  /** The relay's own id of the message, if its webhook gives one. */
  remoteId?: string | undefined;
  /** To whom we sent the message, as its webhook says: those whom it reports may be others, to whom that is forwarded. */
  sentTo?: readonly string[] | undefined;
}

/** Result of a report. */
export interface AppliedReport {
  /** The e-mail that it concerns; `undefined` if it is unknown. */
  found: ReportedEmail | undefined;
  /** Whether the report proves that it is about that e-mail, or its reporter is authenticated. */
  isProven: boolean;
  effects: InboundEffect[];
  /** What is left to write: the suppressions that the report leads to. */
  suppressions: Suppression[];
}

/** Dependencies for processing a report. */
export interface Taking {
  storage: Repositories;
  runtime: Pick<Runtime, "reportTokens" | "newId" | "queueClock" | "config">;
  /** ms since the epoch. */
  now: number;
  /** Called with each new bounce, complaint and delay. */
  emitEmailEvent: (emailEvent: EmailEvent) => void;
}

/** Position that stands for the whole e-mail. */
const wholeEmail = 255;

/**
 * Applies a report in the caller's transaction: once by e-mail, recipient and kind, however often it is repeated. It
 * does not change the status of the e-mail; an event reports the result at the recipient (platform.md P7).
 */
export async function applyReport(
  taking: Taking,
  reported: Reported,
  willing: Willing,
): Promise<AppliedReport> {
  const identified = await identify(taking, reported);
  if (identified === undefined) return { found: undefined, isProven: false, effects: [], suppressions: [] };
  const { found, position: named } = identified;
  const meant = new Map<string, Meant>();
  for (const finding of namedFirst(reported.findings, found)) {
    const position = named ?? findPosition(found, finding, identified.isProven);
    // The first finding per recipient counts: a token identifies one recipient, whatever addresses the mail was
    // forwarded to.
    if (position !== undefined && !meant.has(`${position} ${finding.kind}`))
      meant.set(`${position} ${finding.kind}`, { position, finding });
  }
  const effects: InboundEffect[] = [];
  const believed: Believed[] = [];
  for (const { position, finding } of [...meant.values()].sort(byRow)) {
    const recipient = found.recipients[position]?.address ?? "";
    const isBelieved = identified.isProven && finding.isStructured && !isAnothers(finding, recipient);
    const one = { found, position, finding, recipient, isBelieved };
    const { report, effect } = await takeFinding(taking, reported, one);
    const { kind, category } = report;
    effects.push({ kind, recipient, class: report.class, category, effect });
    const { id: emailId, workspaceId } = found.email;
    if (effect === "noted" && isBelieved)
      believed.push({ ...report, address: recipient, workspaceId, emailId });
  }
  const suppressions = await findSuppressed(taking.storage, believed, willing);
  const suppressed = new Set(suppressions.map(keyOf));
  const { workspaceId } = found.email;
  return {
    found,
    isProven: identified.isProven,
    effects: effects.map((effect) =>
      effect.effect === "noted" && suppressed.has(keyOf({ workspaceId, address: effect.recipient }))
        ? { ...effect, effect: "suppressed" }
        : effect,
    ),
    suppressions,
  };
}

/** Reports of one e-mail that come at once lock its rows in the same order, whatever theirs is: so they can't deadlock. */
const byRow = (a: Meant, b: Meant): number => rowOf(a) - rowOf(b);
const rowOf = ({ position, finding }: Meant): number => (finding.kind === "delay" ? wholeEmail : position);

type Believed = RecipientReport & ReportedRecipient;

interface Meant {
  position: number;
  finding: Finding;
}

interface Identified {
  found: ReportedEmail;
  /** The recipient that a token identifies. */
  position: number | undefined;
  /** Whether the identification can't be forged by an outsider. */
  isProven: boolean;
}

/**
 * Finds the e-mail: by signed tokens first, by identifiers that every recipient knows last (platform.md P7). Throws
 * `unavailable` for a relay's own id that the reply to an attempt under way may give, so that the relay repeats its call.
 */
async function identify(
  { storage, runtime }: Taking,
  { mentions, workspaceId, isAuthenticated, remoteId = "", findings, sentTo = [] }: Reported,
): Promise<Identified | undefined> {
  const isOurs = (found: ReportedEmail | undefined): found is ReportedEmail =>
    found !== undefined && (workspaceId === undefined || found.email.workspaceId === workspaceId);
  for (const token of mentions.tokens) {
    const subject = runtime.reportTokens.read(token);
    if (subject === undefined) continue;
    const found = await storage.reports.findEmail({ row: subject.row });
    if (!isOurs(found)) continue;
    // A position beyond the e-mail's recipients identifies none.
    const position = found.recipients[subject.position ?? -1] === undefined ? undefined : subject.position;
    return { found, position, isProven: true };
  }
  for (const id of mentions.emailIds) {
    const found = await storage.reports.findEmail({ id });
    if (isOurs(found)) return { found, position: undefined, isProven: isAuthenticated };
  }
  if (remoteId === "" || workspaceId === undefined) return undefined;
  const named = [
    ...sentTo.slice(0, 5),
    ...findings.flatMap(({ addresses }) => addresses.slice(0, 1)).slice(0, 5),
  ];
  const addresses = [...new Set(named.map((address) => parseAddress(address) ?? address))];
  for (const address of addresses) {
    const found = await storage.reports.findByRemoteId(workspaceId, address, remoteId);
    if (found !== undefined) return { found, position: undefined, isProven: isAuthenticated };
  }
  for (const address of addresses)
    if (await storage.reports.isSendingTo(workspaceId, address))
      throw new ServiceError("unavailable", {
        message: "An e-mail to this recipient is being sent, and its id at the relay not known yet.",
        retryAfter: 60,
      });
  return undefined;
}

const keysIn = ({ addresses }: Finding): string[] =>
  addresses.map((address) => addressKey(parseAddress(address) ?? address));

/** The findings, first those that name a recipient: a text for people names others, too, such as whom to write to. */
function namedFirst(findings: readonly Finding[], { recipients }: ReportedEmail): ReadonlySet<Finding> {
  const known = new Set(recipients.map(({ address }) => addressKey(address)));
  const isNamed = (finding: Finding): boolean => keysIn(finding).some((key) => known.has(key));
  return new Set([...findings.filter(isNamed), ...findings]);
}

/**
 * Returns the recipient with the reported address; for an e-mail with one recipient that one, if the e-mail itself is
 * proven or no address was reported.
 */
function findPosition(
  { recipients }: ReportedEmail,
  finding: Finding,
  isProven: boolean,
): number | undefined {
  if (finding.isUndecided === true && recipients.length > 1) return undefined;
  const keys = keysIn(finding);
  for (const key of keys) {
    const position = recipients.findIndex(({ address }) => addressKey(address) === key);
    if (position >= 0) return position;
  }
  return (isProven || keys.length === 0) && recipients.length === 1 ? 0 : undefined;
}

interface Taken extends Pick<Identified, "found">, Meant {
  recipient: string;
  isBelieved: boolean;
}

/** Notes a finding: once, unless what was noted before was not believed, and this is. An event tells only of the first. */
async function takeFinding(
  { storage, runtime, now, emitEmailEvent }: Taking,
  { source }: Reported,
  taken: Taken,
): Promise<{ report: RecipientReport; effect: "noted" | "known" }> {
  const { found, recipient, isBelieved } = taken;
  const report = reportOf(taken, { source, now, rules: runtime.config.bounceRules });
  const wasTold = report.kind === "delay" && (await wasDelayed(storage, found));
  const isNew = !wasTold && (await storage.reports.note([report])).length > 0;
  if (isNew) emitEmailEvent(emailEventOf(found, report, recipient));
  const isNoted = isNew || (isBelieved && (await storage.reports.replaceUnbelieved(report)));
  return { report, effect: isNoted ? "noted" : "known" };
}

/** The reply is not kept if a recipient was erased: it may quote the address, and must not outlast the erasure. */
function reportOf(
  { found: { row, recipients }, recipient, position, finding, isBelieved }: Taken,
  { source, now, rules }: { source: ReportSource; now: number; rules: readonly BounceRule[] },
): RecipientReport {
  const { kind, status, reply, unreached, feedback, isShared = false } = finding;
  const addresses = [recipient, ...finding.addresses];
  const kept = recipients.some(({ address }) => isErased(address)) ? "" : reply;
  const told = { row, kind, reply: kept, source, isBelieved, at: now };
  if (kind === "complaint")
    return {
      ...told,
      position,
      class: "complaint",
      category: feedback ?? "abuse",
      enhancedCode: undefined,
    };
  const bounce = classifyRefusal(
    { status, reply, unreached, stage: "recipient", isShared, addresses },
    rules,
  );
  return { ...told, ...bounce, position: rowOf({ position, finding }) };
}

/** Whether one of our own attempts has already reported the e-mail's delay. */
async function wasDelayed({ emails }: Repositories, { email }: ReportedEmail): Promise<boolean> {
  return (await emails.attempts(email.id)).some(({ outcome }) => outcome === "deferred");
}

function emailEventOf({ email }: ReportedEmail, report: RecipientReport, address: string): EmailEvent {
  const { reply, source, category, at } = report;
  if (report.kind === "bounce") return bounceEvent(email, { ...report, address });
  if (report.kind === "delay") {
    const data = { recipient: address, reply };
    return { type: "email.delivery_delayed", email, at, metadata: data, data };
  }
  const data = { recipient: address, class: "complaint", category, reply, source } as const;
  return { type: "email.complained", email, at, metadata: data, data };
}
