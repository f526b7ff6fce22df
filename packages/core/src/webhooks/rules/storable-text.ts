/** Maximum bytes that are kept of a response's body. */
export const maxKeptBytes = 4_096;

/**
 * Returns the beginning of a response's body as text of at most 4 KiB without NUL, which PostgreSQL can't store. Bytes
 * that are not UTF-8 become U+FFFD.
 */
export function toStorableText(body: Uint8Array | string): string {
  const bytes = typeof body === "string" ? Buffer.from(body.slice(0, maxKeptBytes)) : body;
  const text = decode(bytes.subarray(0, maxKeptBytes)).replaceAll("\0", "\ufffd");
  return decode(Buffer.from(text).subarray(0, maxKeptBytes));
}

const decode = (part: Uint8Array): string => new TextDecoder("utf-8").decode(part, { stream: true });
