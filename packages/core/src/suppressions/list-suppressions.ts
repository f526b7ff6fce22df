import { z } from "zod";
import { searchField } from "../calls/input/search-field.ts";
import { timeOrDayField } from "../calls/input/time-fields.ts";
import { type Page, pagesOf, paging } from "../calls/paging.ts";
import { useCase } from "../calls/use-case.ts";
import { addressKey } from "../rules/address-key.ts";
import { parseSuppressed } from "./rules/suppression-key.ts";
import { origins, scopeField } from "./suppression-fields.ts";
import { type SuppressionView, viewSuppression } from "./suppression-view.ts";

const pages = pagesOf("suppressions");

/** Lists the workspace's suppressions, newest first, without expired ones (platform.md P8). */
export const listSuppressions = useCase({
  access: "suppressions:read",
  reads: true,
  input: z.strictObject({
    ...paging,
    q: searchField(254).describe(
      "Lists only addresses that begin with this text, or domains if it begins with `@`.",
    ),
    origin: z.enum(origins).optional().describe("Lists only suppressions of this origin."),
    scope: scopeField
      .optional()
      .describe("Lists only suppressions of this scope: `*`, or the name of a list."),
    fromDate: timeOrDayField
      .optional()
      .describe("Lists only suppressions created at or after this time or date, ISO 8601."),
    toDate: timeOrDayField
      .optional()
      .describe("Lists only suppressions created before this time or date, ISO 8601."),
  }),
  async run(
    { storage, workspace, now },
    { page, size, after, q, fromDate, toDate, ...rest },
  ): Promise<Page<SuppressionView>> {
    const filter = {
      ...rest,
      q: q ? (parseSuppressed(q)?.addressKey ?? addressKey(q)) : undefined,
      from: fromDate,
      until: toDate,
      workspaceId: workspace.id,
    };
    const found = await storage.suppressions.list(filter, pages.sliceOf({ page, size, after }), now);
    return pages.pageOf(found, { page, size }, viewSuppression);
  },
});
