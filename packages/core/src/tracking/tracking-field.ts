import { z } from "zod";

/** Input field for what is tracked, of a send or a campaign (platform.md P11). */
export const trackingField = z
  .strictObject({
    opens: z
      .boolean()
      .optional()
      .describe("Whether openings are recorded. Default: the workspace's `track_opens`."),
    clicks: z
      .boolean()
      .optional()
      .describe("Whether clicks on links are recorded. Default: the workspace's `track_clicks`."),
  })
  .optional()
  .describe(
    "What is recorded when the recipient reads the html. Never with sensitive. Default: the workspace's settings.",
  );

/** What a caller asks to be tracked. */
export type RequestedTracking = z.output<typeof trackingField>;
