import { TextDecoder } from "node:util";
import { fieldError, ServiceError } from "../errors.ts";

/** Names of UTF-8 and of its part, in which nothing needs to be changed. */
const asIs = /^(?:utf-?8|us-ascii)$/;

/**
 * Returns how to convert a file to UTF-8 from the charset that its media type declares; `undefined` if it needs no
 * conversion. Throws `unsupported_media_type` for a charset that is not known.
 */
export function toUtf8(
  contentType: string,
): ((bytes: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>) | undefined {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset === undefined || asIs.test(charset)) return undefined;
  try {
    new TextDecoder(charset);
  } catch {
    throw new ServiceError("unsupported_media_type", {
      message: `The charset ${charset} of the file is not known: save it as UTF-8.`,
    });
  }
  return (bytes) => convert(bytes, charset);
}

async function* convert(bytes: AsyncIterable<Uint8Array>, charset: string): AsyncGenerator<Uint8Array> {
  let decoder: TextDecoder | undefined;
  let first: Uint8Array = new Uint8Array();
  const decode = (chunk: Uint8Array | undefined): Uint8Array => {
    try {
      decoder ??= new TextDecoder(isBigEndian(charset, first) ? "utf-16be" : charset, { fatal: true });
      return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw fieldError("content", `is not ${charset}, which its media type declares`);
    }
  };
  for await (const chunk of bytes) {
    if (decoder !== undefined) yield decode(chunk);
    else {
      first = Buffer.concat([first, chunk]);
      if (first.length > 1) yield decode(first);
    }
  }
  if (decoder === undefined) yield decode(first);
  yield decode(undefined);
}

/** Whether a file in UTF-16 begins with the mark of the other byte order. */
const isBigEndian = (charset: string, [first, second]: Uint8Array): boolean =>
  charset === "utf-16" && first === 0xfe && second === 0xff;
