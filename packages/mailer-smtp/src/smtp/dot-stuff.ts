const dot = 46;

/** Doubles each dot that begins a line (RFC 5321 section 4.5.2) and sees to it that the last line is ended. */
export function dotStuff(source: Buffer): Buffer {
  const isEnded = source.length === 0 || source.subarray(-2).equals(Buffer.from("\r\n"));
  if (isEnded && source[0] !== dot && !source.includes("\r\n.")) return source;
  const text = source.toString("latin1").replaceAll("\r\n.", "\r\n..");
  return Buffer.from((source[0] === dot ? "." : "") + text + (isEnded ? "" : "\r\n"), "latin1");
}
