import type { InboundEffect, InboundKind, InboundReport, ReportSource } from "../ports/storage.ts";

/** An incoming report as shown to callers (platform.md P7). Times are ms since the epoch. */
export interface InboundReportView {
  /** `undefined` if it is not stored: a report about an unknown e-mail is only counted. */
  id: string | undefined;
  /** Kind of the message: `notification`, `complaint`, `auto_reply` or `other`. */
  kind: InboundKind;
  /** Channel by which it was received. */
  source: ReportSource;
  /** Whether it concerns a known e-mail of the workspace. */
  matched: boolean;
  /** The e-mail that it concerns, if known. */
  emailId: string | undefined;
  /** Effects by recipient. */
  effects: InboundEffect[];
  /** Time of receipt, ms since the epoch. */
  createdAt: number;
}

/** A report with the returned message. */
export interface InboundReportDetails extends InboundReportView {
  /** The message, one character per byte. */
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
