import type { ReportSource } from "../ports/storage/recipient-report.ts";
import type { InboundEffect, InboundKind, InboundReport } from "../ports/storage/reports.ts";

/** What became of a message that came back (platform.md P7). Times are ms since the epoch. */
export interface InboundReportView {
  /** `undefined` where it is not kept: what is about no known e-mail is only counted. */
  id: string | undefined;
  /** What the message was: `notification`, `complaint`, `auto_reply` or `other`. */
  kind: InboundKind;
  /** How it came in. */
  source: ReportSource;
  /** Whether it is about an e-mail of the workspace that is known. */
  matched: boolean;
  /** The e-mail that it is about, where that is known. */
  emailId: string | undefined;
  /** What came of it, by recipient. */
  effects: InboundEffect[];
  /** When it came in, ms since the epoch. */
  createdAt: number;
}

/** A report with the message that came back. */
export interface InboundReportDetails extends InboundReportView {
  /** The message, one character a byte. */
  raw: string;
}

export const viewReport = (
  report: Omit<InboundReport, "workspaceId" | "id"> & { id: string | undefined },
): InboundReportView => ({
  id: report.id,
  kind: report.kind,
  source: report.source,
  matched: report.emailId !== undefined,
  emailId: report.emailId,
  effects: report.effects,
  createdAt: report.createdAt,
});
