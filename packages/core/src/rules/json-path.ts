import { endOfString } from "./json-strings.ts";

/** A list or an object that begins before the value and does not end there. */
interface Open {
  /** The key that was read last, or the index. */
  at: string | number;
  /** Whether the next string is a key. */
  expectsKey: boolean;
}

/** Returns the path, such as `to.0`, of the value that begins at an index of JSON. */
export function jsonPathAt(bytes: Uint8Array, index: number): string {
  const open: Open[] = [];
  for (let at = 0; at < index; at++) {
    const inner = open.at(-1);
    switch (String.fromCharCode(bytes[at] ?? 0)) {
      case "{":
        open.push({ at: "", expectsKey: true });
        break;
      case "[":
        open.push({ at: 0, expectsKey: false });
        break;
      case "}":
      case "]":
        open.pop();
        break;
      case ":":
        if (inner !== undefined) inner.expectsKey = false;
        break;
      case ",":
        if (typeof inner?.at === "number") inner.at += 1;
        else if (inner !== undefined) inner.expectsKey = true;
        break;
      case '"': {
        const end = endOfString(bytes, at + 1);
        if (inner?.expectsKey === true) inner.at = keyOf(bytes.subarray(at, end + 1));
        at = end;
      }
    }
  }
  return open.map(({ at }) => at).join(".");
}

function keyOf(quoted: Uint8Array): string {
  try {
    return String(JSON.parse(Buffer.from(quoted).toString()));
  } catch {
    return "";
  }
}
