import { fieldPath } from "./field-path.ts";
import { nextMark } from "./json-marks.ts";
import { endOfString } from "./json-strings.ts";

/** A list or an object that begins before the value and does not end there. */
interface Open {
  /** The key that was read last, in its quotes: of many, few are in the path. Or the index. */
  at: Uint8Array | number;
  /** Whether the next string is a key. */
  expectsKey: boolean;
}

const noKey = new Uint8Array(0);

/** Whether a path is that of the value at an index, or of the list or object that contains what is there. */
export type JsonPart = "value" | "container";

/** Returns the path, such as `to.0`, of what begins at an index of JSON. */
export function jsonPathAt(bytes: Uint8Array, index: number, part: JsonPart = "value"): string {
  const open: Open[] = [];
  for (let at = nextMark(bytes, 0); at < index; at = nextMark(bytes, at + 1)) {
    const inner = open.at(-1);
    switch (String.fromCharCode(bytes[at] ?? 0)) {
      case "{":
        open.push({ at: noKey, expectsKey: true });
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
        if (inner?.expectsKey === true) inner.at = bytes.subarray(at, end + 1);
        at = end;
      }
    }
  }
  return fieldPath((part === "value" ? open : open.slice(0, -1)).map(({ at }) => keyOf(at)));
}

function keyOf(quoted: Uint8Array | number): string | number {
  if (typeof quoted === "number") return quoted;
  try {
    return String(JSON.parse(Buffer.from(quoted).toString()));
  } catch {
    return "";
  }
}
