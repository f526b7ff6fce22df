import { z } from "zod";
import { uuidField } from "../calls/input/uuid-field.ts";
import { type Page, pagesOf, paging } from "../calls/paging.ts";
import { useCase } from "../calls/use-case.ts";
import { type InboundReportView, viewReport } from "./report-view.ts";

const pages = pagesOf("inbound reports");

/** Lists bounces, delays and complaints about the workspace's e-mails of the last 7 days, newest first (platform.md P7). */
export const listReports = useCase({
  access: "inbound:write",
  reads: true,
  input: z.strictObject({
    emailId: uuidField.optional().describe("Only reports about this e-mail."),
    kind: z
      .enum(["notification", "complaint"])
      .optional()
      .describe("Only reports of this kind: notifications of delivery, or complaints."),
    ...paging,
  }),
  async run({ storage, workspace }, { emailId, kind, ...asked }): Promise<Page<InboundReportView>> {
    const filter = { workspaceId: workspace.id, emailId, kind };
    const found = await storage.reports.list(filter, pages.sliceOf(asked));
    return pages.pageOf(found, asked, viewReport);
  },
});
