import { type JsonPart, jsonPathAt } from "./json-path.ts";
import { endOfString, isKeyUntil, nextOf } from "./json-strings.ts";
import { unstorableText } from "./unstorable-text.ts";

/** Matches all JSON in which {@link findUnstorable} finds something. */
export const mayBeUnstorable = /__proto__|\\u(?:0000|005f|d[89a-f])/i;

const quoteCode = 0x22;
const backslashCode = 0x5c;
const underscoreCode = 0x5f;
const proto = "__proto__";

/** What can't be kept of a JSON text, as words that follow the path of what has it. */
export interface Unstorable {
  words: string;
  path: string;
}

/**
 * Finds the first string in valid JSON that no storage can hold (NUL and lone surrogates), or key `__proto__`, which
 * most libraries lose. It reads the text, because walking through an object of ninety thousand keys takes longer than
 * parsing it did.
 */
export function findUnstorable(bytes: Uint8Array): Unstorable | undefined {
  let nextEscape = nextOf(bytes, backslashCode, 0);
  for (let at = nextOf(bytes, quoteCode, 0); at < bytes.length; ) {
    const end = endOfString(bytes, at + 1);
    if (nextEscape < at) nextEscape = nextOf(bytes, backslashCode, at);
    const mayBeProto = end - at - 1 === proto.length && bytes[at + 1] === underscoreCode;
    if (nextEscape < end || mayBeProto) {
      const isKey = isKeyUntil(bytes, end);
      const words = faultOf(textOf(bytes.subarray(at, end + 1)), isKey);
      const part: JsonPart = isKey ? "container" : "value";
      if (words !== undefined) return { words, path: jsonPathAt(bytes, at, part) };
    }
    at = nextOf(bytes, quoteCode, end + 1);
  }
  return undefined;
}

function faultOf(text: string, isKey: boolean): string | undefined {
  if (isKey && text === proto) return `has the key ${proto}`;
  const words = unstorableText(text);
  return isKey && words !== undefined ? `has a key that ${words}` : words;
}

const textOf = (quoted: Uint8Array): string => String(JSON.parse(Buffer.from(quoted).toString()));
