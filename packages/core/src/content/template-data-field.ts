import { z } from "zod";
import { jsonSizeFault } from "../calls/json-size-fault.ts";
import { refining } from "../calls/refining.ts";

const maxBytes = 256 * 1024;

/** Values for placeholders, at most 256 KiB as JSON, as they are stored with each e-mail. */
export const templateDataField = z.record(z.string(), z.unknown(), "must be an object").check(
  refining((data: Record<string, unknown>, faults) => {
    const fault = jsonSizeFault(data, maxBytes, "256 KiB as JSON");
    if (fault !== undefined) faults.addIssue({ code: "custom", message: fault });
  }),
);
