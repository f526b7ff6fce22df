import { z } from "zod";
import { uuidField } from "../calls/input/uuid-field.ts";
import { orNotFound } from "../calls/or-not-found.ts";
import { useCase } from "../calls/use-case.ts";
import { type InboundReportDetails, viewReport } from "./report-view.ts";

/** Reads a report with its message, which shows why an address was suppressed (platform.md P7). */
export const getReport = useCase({
  access: "inbound:write",
  reads: true,
  input: z.strictObject({ reportId: uuidField.describe("The report's id, a UUID.") }),
  async run({ storage, workspace }, { reportId }): Promise<InboundReportDetails> {
    const found = orNotFound(await storage.reports.find(workspace.id, reportId), "such report");
    return { ...viewReport(found), raw: Buffer.from(found.raw, "base64").toString("latin1") };
  },
});
