import { jsonObject } from "../calls/input/json-object.ts";

/** Values for placeholders, at most 256 KiB as JSON, as they are stored with each e-mail. */
export const templateDataField = jsonObject(256 * 1024, "256 KiB as JSON", "must be an object");
