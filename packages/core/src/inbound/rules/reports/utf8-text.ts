const decoder = new TextDecoder("utf-8", { fatal: true });

/** Decodes a text of one character per byte as UTF-8; returns it as it is if it is another encoding's. */
export function utf8Text(bytes: string): string {
  if (!/[\x80-\xff]/.test(bytes) || /[^\0-\xff]/.test(bytes)) return bytes;
  try {
    return decoder.decode(Buffer.from(bytes, "latin1"));
  } catch {
    return bytes;
  }
}
