import type { InboundKind, InboundReport } from "../ports/storage/reports.ts";
import { isErased } from "../recipients/rules/erased-address.ts";
import { digest } from "../rules/tokens.ts";
import type { Runtime } from "../service/runtime.ts";
import { type InboundReportView, viewReport } from "./report-view.ts";
import { type Reported, type Taking, takeReport } from "./take-report.ts";

/** Reports kept of one e-mail: more tell nothing new, and anybody may send them who got it. */
const mostKept = 50;

/** Something that came back, with its text. */
export interface Arrival extends Reported {
  kind: InboundKind;
  /** As it came, one character a byte. */
  raw: string;
}

/** Applies what came back, and keeps it for the workspace that it is about. What came before answers as it did then. */
export async function keepReport(
  taking: Taking & { runtime: Pick<Runtime, "counters"> },
  arrival: Arrival,
): Promise<InboundReportView> {
  const { storage, runtime, now } = taking;
  const { kind, source, raw } = arrival;
  const sum = digest(raw);
  if (arrival.workspaceId !== undefined) {
    const before = await storage.reports.findByDigest(arrival.workspaceId, sum);
    if (before !== undefined) return viewReport(before);
  }
  const { found, effects } = await takeReport(taking, arrival);
  const isReport = kind === "notification" || kind === "complaint";
  runtime.counters.inbound[isReport && found === undefined ? "unmatched" : kind] += 1;
  const told = { kind, source, emailId: found?.email.id, effects, createdAt: now };
  const workspaceId = found?.email.workspaceId;
  if (found === undefined || workspaceId === undefined) return viewReport({ ...told, id: undefined });
  const report: InboundReport = { ...told, id: runtime.newId(), workspaceId };
  const isNews = effects.some(({ effect }) => effect !== "known");
  if (!isNews && (await storage.reports.countAbout(workspaceId, found.email.id)) >= mostKept)
    return viewReport({ ...told, id: undefined });
  const before = await storage.reports.keep({
    ...report,
    digest: sum,
    // The message may name somebody who was erased, and would be the last place that does.
    raw: found.recipients.some(({ address }) => isErased(address))
      ? ""
      : Buffer.from(raw, "latin1").toString("base64"),
  });
  return viewReport(before ?? report);
}
