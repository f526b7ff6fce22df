import { z } from "zod";

/** The fields that verbs on domains share. */
export const domainFields = {
  domainId: z.uuid().describe("The domain's id, a UUID."),
  includeSubdomains: z
    .boolean("must be true or false")
    .describe(
      "Whether mail from domains beneath it counts as its own, and is signed with its key. A domain beneath it that was added itself goes first. Default false.",
    ),
};
