import { z } from "zod";
import { storedAsJson } from "../calls/stored-as-json.ts";

/** Values for placeholders, at most 256 KiB as JSON, as they are stored with each e-mail. */
export const templateDataField = z
  .record(z.string(), z.unknown(), "must be an object")
  .check(storedAsJson(256 * 1024, "256 KiB as JSON"));
