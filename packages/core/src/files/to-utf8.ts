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
  return (bytes) =>
    convert(bytes, (first) => ({
      charset: charset === "utf-16" ? (markedCharset(first) ?? charset) : charset,
      fault: `is not ${charset}, which its media type declares`,
    }));
}

/** Converts a file to UTF-8 that begins with UTF-16's byte order mark, in either order; passes any other on. */
export const utf16ToUtf8 = (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> =>
  convert(bytes, (first) => {
    const charset = markedCharset(first);
    return charset && { charset, fault: `is not ${charset}, as which its byte order mark marks it` };
  });

interface Conversion {
  charset: string;
  /** What is wrong with a file that is not in the charset. */
  fault: string;
}

/** Converts by what `choose` returns for the first two bytes; passes the file on if that is `undefined`. */
async function* convert(
  bytes: AsyncIterable<Uint8Array>,
  choose: (first: Uint8Array) => Conversion | undefined,
): AsyncGenerator<Uint8Array> {
  let read: ((chunk: Uint8Array | undefined) => Uint8Array) | undefined;
  let first: Uint8Array = new Uint8Array();
  for await (const chunk of bytes) {
    if (read !== undefined) yield read(chunk);
    else {
      first = Buffer.concat([first, chunk]);
      if (first.length > 1) {
        read = createReader(choose(first));
        yield read(first);
      }
    }
  }
  if (read === undefined) {
    read = createReader(choose(first));
    yield read(first);
  }
  yield read(undefined);
}

/** Returns what reads a file piece by piece, and at its end once more, without a piece. */
function createReader(conversion: Conversion | undefined): (chunk: Uint8Array | undefined) => Uint8Array {
  if (conversion === undefined) return (chunk = new Uint8Array()) => chunk;
  const decoder = new TextDecoder(conversion.charset, { fatal: true });
  return (chunk) => {
    try {
      return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw fieldError("content", conversion.fault);
    }
  };
}

function markedCharset([first, second]: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : undefined;
}
