const dot = 46;
const carriageReturn = 13;
const lineFeed = 10;

/** Doubles each dot that begins a line (RFC 5321 section 4.5.2) and ends the last line if it is not. */
export function dotStuff(source: Buffer): Buffer {
  const { length } = source;
  const isEnded = length === 0 || (source[length - 2] === carriageReturn && source[length - 1] === lineFeed);
  if (isEnded && source[0] !== dot && !source.includes("\r\n.")) return source;
  const text = source.toString("latin1").replaceAll("\r\n.", "\r\n..");
  return Buffer.from((source[0] === dot ? "." : "") + text + (isEnded ? "" : "\r\n"), "latin1");
}
