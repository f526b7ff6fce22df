import { z } from "zod";
import { chunksOf } from "../calls/input/chunks-of.ts";
import { streamField } from "../calls/input/native-types.ts";
import { ServiceError } from "../errors.ts";
import { beginningOf } from "../rules/beginning-of.ts";
import type { ListFormat } from "./line-form.ts";
import { toUtf8 } from "./to-utf8.ts";

/** Maximum number of rejected lines that are reported one by one. */
const maxTold = 1_000;
/** Bytes that are split into lines at once, so that a file in memory is not copied there a second time as lines. */
const pieceBytes = 64 * 1024;
const maxBytes = 64 * 1024 * 1024;

const tooLarge = (): ServiceError =>
  new ServiceError("payload_too_large", { message: "The file is larger than 64 MiB: import it in parts." });

/** Input fields of a list file. */
export const listFileFields = {
  content: streamField.describe(
    "The file's content: bytes or a stream of bytes, at most 64 MiB. Over HTTP it is the request's body.",
  ),
  contentType: z
    .string()
    .max(255, "is longer than 255 characters")
    .default("text/csv")
    .describe(
      "The file's format: `text/csv`, or `application/x-ndjson` with one JSON object per line. A `charset` beside it is converted; without one, the file is UTF-8, or UTF-16 with its byte order mark. Over HTTP it is the header Content-Type. Default `text/csv`.",
    ),
  size: z
    .int()
    .min(0)
    .optional()
    .describe(
      "The file's size in bytes, if known: a file that is too large is then refused before it is read.",
    ),
};

const formats: Partial<Record<string, ListFormat>> = {
  "text/csv": "csv",
  "text/plain": "csv",
  "application/x-ndjson": "ndjson",
  "application/ndjson": "ndjson",
  "application/jsonl": "ndjson",
};

/**
 * Opens a list file. Throws `unsupported_media_type` for another format or an unknown charset, `payload_too_large` for
 * a file whose declared size is too large.
 */
export function openListFile({
  content,
  contentType,
  size = 0,
}: z.output<z.ZodObject<typeof listFileFields>>): {
  format: ListFormat;
  bytes: AsyncGenerator<Uint8Array>;
} {
  const [type = ""] = contentType.toLowerCase().split(";");
  const format = formats[type.trim()];
  if (format === undefined)
    throw new ServiceError("unsupported_media_type", {
      message: "Send the file as text/csv or application/x-ndjson.",
    });
  if (size > maxBytes) throw tooLarge();
  const convert = toUtf8(contentType);
  const bytes = bounded(content);
  return { format, bytes: convert === undefined ? bytes : convert(bytes) };
}

async function* bounded(content: z.output<typeof streamField>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunksOf(content)) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge();
    for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes);
  }
}

/** A rejected line and its fault. */
export interface RejectedLine {
  /** The line's number in the file, from 1; in a list that is no file, the item's position. */
  line: number;
  /** The faulty value. */
  value: string;
  /** What is wrong with the value. */
  message: string;
}

/** Rejected lines, the first 1,000 of them one by one. */
export interface Rejections {
  /** The first rejected lines, each with its fault. */
  rejected: RejectedLine[];
  /** Number of all rejected lines. */
  rejectedTotal: number;
}

/** Records a rejected line. */
export function reject(done: Rejections, line: RejectedLine): void {
  done.rejectedTotal += 1;
  if (done.rejected.length < maxTold) done.rejected.push(shortened(line));
}

export const shortened = ({ line, value, message }: RejectedLine): RejectedLine => ({
  line,
  value: beginningOf(value, 200),
  message,
});
