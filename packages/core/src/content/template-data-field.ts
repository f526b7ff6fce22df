import { z } from "zod";
import { jsonSizeFault } from "../calls/json-size-fault.ts";

const maxBytes = 256 * 1024;

/** Values for placeholders, at most 256 KiB as JSON: they are kept for every e-mail. */
export const templateDataField = z
  .record(z.string(), z.unknown(), "must be an object")
  .superRefine((data, context) => {
    const fault = jsonSizeFault(data, maxBytes, "256 KiB as JSON");
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  });
