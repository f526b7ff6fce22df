/** A body that is not acceptable JSON. The message is for the caller; it quotes nothing of the body. */
export class JsonError extends Error {
  override name = "JsonError";
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Reads JSON (RFC 8259) from UTF-8, a leading byte order mark being ignored. Throws {@link JsonError} on bad
 * UTF-8, bad syntax, nesting deeper than `maxDepth` (default 32), and on strings that no storage can
 * hold: NUL and lone surrogates. `__proto__` becomes a plain own key.
 */
export function parseJson(bytes: Uint8Array, { maxDepth = 32 }: { maxDepth?: number } = {}): unknown {
  if (isDeeperThan(bytes, maxDepth))
    throw new JsonError(`The JSON is nested more than ${maxDepth} levels deep.`);
  const text = decode(bytes);
  if (text.trim() === "") throw new JsonError("The body is empty; JSON is expected.");
  const value = parse(text);
  if (/\\u(?:0000|d[89a-f])/i.test(text)) refuseUnstorable(value);
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new JsonError("The body is not valid UTF-8.");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
    throw new JsonError(
      position ? `The JSON is malformed at character ${position}.` : "The JSON is malformed.",
    );
  }
}

/** Counts open brackets outside strings, without recursion and in one pass; strings are leapt over. */
function isDeeperThan(bytes: Uint8Array, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1);
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
    }
  }
  return false;
}

function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let first = end;
    while (first > start && bytes[first - 1] === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return bytes.length;
}

function refuseUnstorable(root: unknown): void {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string") {
      if (value.includes("\0")) throw new JsonError("The JSON contains a NUL character.");
      if (!value.isWellFormed()) throw new JsonError("The JSON contains half of a surrogate pair.");
    } else if (typeof value === "object" && value !== null) {
      for (const [key, entry] of Object.entries(value)) open.push(key, entry);
    }
  }
}
