import { z } from "zod";
import { useCase } from "../calls/use-case.ts";
import { uuidField } from "../calls/uuid-field.ts";
import { ServiceError } from "../errors.ts";
import { type InboundReportDetails, viewReport } from "./report-view.ts";

/** Reads a report with its message, which shows why an address was suppressed (platform.md P7). */
export const getReport = useCase({
  access: "inbound:write",
  reads: true,
  input: z.strictObject({ reportId: uuidField.describe("The report's id, a UUID.") }),
  async run({ storage, workspace }, { reportId }): Promise<InboundReportDetails> {
    const found = await storage.reports.find(workspace.id, reportId);
    if (found === undefined) throw new ServiceError("not_found", { message: "There is no such report." });
    return { ...viewReport(found), raw: Buffer.from(found.raw, "base64").toString("latin1") };
  },
});
