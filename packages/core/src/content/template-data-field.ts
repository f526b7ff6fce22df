import { z } from "zod";

const maxBytes = 256 * 1024;

/** Values for placeholders, at most 256 KiB as JSON: they are kept for every e-mail. */
export const templateDataField = z
  .record(z.string(), z.unknown(), "must be an object")
  .superRefine((data, context) => {
    const fault = faultOf(data);
    if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
  });

function faultOf(data: object): string | undefined {
  try {
    return Buffer.byteLength(JSON.stringify(data)) > maxBytes ? "is larger than 256 KiB as JSON" : undefined;
  } catch {
    // A host may hand over what no request can hold: cycles and big integers.
    return "can't be written as JSON";
  }
}
