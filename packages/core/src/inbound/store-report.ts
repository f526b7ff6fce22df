import type { EventOrigin } from "../mail/email-events.ts";
import type { Notifications } from "../mail/notifications.ts";
import type { InboundKind, InboundReport, Suppression } from "../ports/storage.ts";
import { isErased } from "../recipients/rules/erased-address.ts";
import { digest } from "../rules/tokens.ts";
import type { Runtime } from "../service/runtime.ts";
import { suppress } from "../suppressions/suppress.ts";
import { applyReport, type Reported, type Taking } from "./apply-report.ts";
import { type InboundReportView, viewReport } from "./report-view.ts";
import type { Willing } from "./suppress-reported.ts";

/** Maximum reports kept per e-mail: further ones add nothing, and every recipient of the mail could send them. */
const maxKept = 50;

/** An incoming report with its source text. */
export interface Arrival extends Reported {
  kind: InboundKind;
  /** The message as received, one character per byte. */
  raw: string;
}

/** Dependencies for storing reports. */
export interface Storing extends Taking {
  runtime: Taking["runtime"] & Pick<Runtime, "counters">;
  /** Origin of the reports. */
  caller: EventOrigin["caller"];
  client: { ip: string };
  /** Called with the events and webhook deliveries of suppressions. */
  record: (notifications: Notifications) => void;
}

/** Stores one report, see `storeReports`. */
export async function storeReport(storing: Storing, arrival: Arrival): Promise<InboundReportView> {
  const common: Common = { suppressions: [], willing: new Map() };
  const stored = await storeOne(storing, arrival, common);
  await suppressAll(storing, common.suppressions);
  return stored;
}

/**
 * Applies reports and stores them for the workspaces that they concern; other messages are only counted. A repeated
 * report gets its first answer.
 */
export async function storeReports(
  storing: Storing,
  arrivals: readonly Arrival[],
): Promise<InboundReportView[]> {
  const common: Common = { suppressions: [], willing: new Map() };
  const stored: InboundReportView[] = [];
  for (const arrival of arrivals) stored.push(await storeOne(storing, arrival, common));
  await suppressAll(storing, common.suppressions);
  return stored;
}

/**
 * Suppressions are written last and at once, as after a delivery: an import or another call waits for none of them for as
 * long as the reports behind it take.
 */
async function suppressAll(storing: Storing, suppressions: Suppression[]): Promise<void> {
  if (suppressions.length === 0) return;
  const { storage, runtime, now, caller, client, record } = storing;
  const { notifications } = await suppress(runtime, storage, suppressions, {
    caller,
    clientIp: client.ip,
    now,
  });
  record(notifications);
}

/** What reports of one transaction have in common. */
interface Common {
  /** Those still to write. */
  suppressions: Suppression[];
  willing: Willing;
}

async function storeOne(
  storing: Storing,
  arrival: Arrival,
  { suppressions: written, willing }: Common,
): Promise<InboundReportView> {
  const { storage, runtime, now } = storing;
  const { kind, source, raw } = arrival;
  if (kind === "auto_reply" || kind === "other") {
    // What people and their automatic replies write is nobody's to keep, even if it names the e-mail that it answers.
    runtime.counters.inbound[kind] += 1;
    return viewReport({ kind, source, emailId: undefined, effects: [], createdAt: now, id: undefined });
  }
  const sum = digest(raw);
  if (arrival.workspaceId !== undefined) {
    const before = await storage.reports.findByDigest(arrival.workspaceId, sum);
    if (before !== undefined) return viewReport(before);
  }
  const { found, isProven, effects, suppressions } = await applyReport(storing, arrival, willing);
  written.push(...suppressions);
  runtime.counters.inbound[found === undefined ? "unmatched" : kind] += 1;
  const told = { kind, source, emailId: found?.email.id, effects, createdAt: now };
  const workspaceId = found?.email.workspaceId;
  if (found === undefined || workspaceId === undefined) return viewReport({ ...told, id: undefined });
  const report: InboundReport = { ...told, id: runtime.newId(), workspaceId };
  const isNews = effects.some(({ effect }) => effect !== "known");
  if (!isNews && (await storage.reports.countAbout(workspaceId, found.email.id)) >= maxKept)
    return viewReport({ ...told, id: undefined });
  const before = await storage.reports.keep({
    ...report,
    // A message that came without proof counts anew if somebody submits it with the workspace's own credentials.
    digest: isProven ? sum : `unproven:${sum}`,
    // The message may contain the address of an erased recipient, and must not outlast the erasure.
    raw: found.recipients.some(({ address }) => isErased(address))
      ? ""
      : Buffer.from(raw, "latin1").toString("base64"),
  });
  return viewReport(before ?? report);
}
