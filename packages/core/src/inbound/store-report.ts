import type { InboundKind, InboundReport } from "../ports/storage/reports.ts";
import { isErased } from "../recipients/rules/erased-address.ts";
import { digest } from "../rules/tokens.ts";
import type { Runtime } from "../service/runtime.ts";
import { applyReport, type Reported, type Taking } from "./apply-report.ts";
import { type InboundReportView, viewReport } from "./report-view.ts";

/** Maximum reports kept per e-mail: further ones add nothing, and every recipient of the mail could send them. */
const maxKept = 50;

/** An incoming report with its source text. */
export interface Arrival extends Reported {
  kind: InboundKind;
  /** The message as received, one character per byte. */
  raw: string;
}

/**
 * Applies a report and stores it for the workspace that it concerns; other messages are only counted. A repeated report
 * gets its first answer.
 */
export async function storeReport(
  taking: Taking & { runtime: Pick<Runtime, "counters"> },
  arrival: Arrival,
): Promise<InboundReportView> {
  const { storage, runtime, now } = taking;
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
  const { found, isProven, effects } = await applyReport(taking, arrival);
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
