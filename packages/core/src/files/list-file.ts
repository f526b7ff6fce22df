import { z } from "zod";
import { streamField } from "../calls/native-types.ts";
import { ServiceError } from "../errors.ts";
import type { ListFormat } from "./line-form.ts";

/** Lines that are told of one by one. */
const maxTold = 1_000;
/** Bytes that are split into lines at once: a file that is in memory already must not be there a second time as lines. */
const pieceBytes = 64 * 1024;
const maxBytes = 64 * 1024 * 1024;

const tooLarge = (): ServiceError =>
  new ServiceError("payload_too_large", { message: "The file is larger than 64 MiB: import it in parts." });

/** A list that is handed over as a file. */
export const listFileFields = {
  content: streamField.describe(
    "The file's content: bytes or a stream of bytes, at most 64 MiB. Over HTTP it is the request's body.",
  ),
  contentType: z
    .string()
    .max(255, "is longer than 255 characters")
    .default("text/csv")
    .describe(
      "The file's format: `text/csv`, or `application/x-ndjson` with one JSON object per line. Over HTTP it is the header Content-Type. Default `text/csv`.",
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
 * Throws `unsupported_media_type` for another format, `payload_too_large` for a file whose declared size is too large.
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
  return { format, bytes: bounded(content) };
}

async function* bounded(content: z.output<typeof streamField>): AsyncGenerator<Uint8Array> {
  const chunks = content instanceof Uint8Array ? [content] : content;
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw tooLarge();
    for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes);
  }
}

/** A line that was left out, and what is wrong with it. */
export interface RejectedLine {
  /** Its number in the file, from 1; of a list that is no file, the place in it. */
  line: number;
  /** What stands there. */
  value: string;
  /** What is wrong with it. */
  message: string;
}

/** The lines that are left out: the first 1,000 one by one. */
export interface Rejections {
  /** The first lines that were left out, with what is wrong with each. */
  rejected: RejectedLine[];
  /** How many lines were left out in all. */
  rejectedTotal: number;
}

/** Notes a line that is left out. */
export function reject(done: Rejections, line: RejectedLine): void {
  done.rejectedTotal += 1;
  if (done.rejected.length < maxTold) done.rejected.push(shortened(line));
}

export const shortened = ({ line, value, message }: RejectedLine): RejectedLine => ({
  line,
  value: value.slice(0, 200),
  message,
});
