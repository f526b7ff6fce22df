import { setImmediate as turn } from "node:timers/promises";
import { beginningOf } from "../rules/beginning-of.ts";
import { isJsonObject } from "../rules/is-json-object.ts";
import { JsonBeyondLimit, JsonError, parseJson } from "../rules/json.ts";
import { type LineForm, type ReadLine, unreadable } from "./line-form.ts";

/** Characters that are parsed in one turn of the event loop, besides those of a line that is longer. */
const turnCharacters = 16 * 1024;

const noObject = "is not a JSON object";

/** Parses NDJSON, one JSON object per line, within the bounds of a request's JSON. Throws as `readLines` does. */
export async function* readNdjson<T>(
  content: AsyncIterable<Uint8Array>,
  form: LineForm<T>,
): AsyncGenerator<ReadLine<T>> {
  const decoder = new TextDecoder();
  /** The beginning of a line, in parts: of chunks of one byte, each would be copied together with all before it. */
  let parts: string[] = [];
  let length = 0;
  let line = 0;
  let parsed = 0;
  for await (const chunk of content) {
    const [end = "", ...lines] = decoder.decode(chunk, { stream: true }).split("\n");
    parts.push(end);
    length += end.length;
    const rest = lines.pop();
    if (rest !== undefined) {
      lines.unshift(parts.join(""));
      parts = [rest];
      length = rest.length;
    }
    for (const text of lines) {
      line += 1;
      parsed += text.length;
      if (parsed >= turnCharacters) {
        parsed = 0;
        await turn();
      }
      if (text.trim() !== "") yield parseLine(line, text, form);
    }
    if (length > form.maxLineBytes) throw unreadable(line + 1, "the line is too long");
  }
  const last = parts.join("") + decoder.decode();
  if (last.trim() !== "") yield parseLine(line + 1, last, form);
}

function parseLine<T>(line: number, text: string, form: LineForm<T>): ReadLine<T> {
  const broken = (fault: string) => ({
    line,
    fields: undefined,
    value: beginningOf(text.trim(), 200),
    fault,
  });
  let value: unknown;
  try {
    // Its length limits its values.
    value = parseJson(Buffer.from(text), { allowInexact: false, maxValues: form.maxLineBytes });
  } catch (error) {
    if (error instanceof JsonError && error.path !== "") return broken(`${error.path} ${error.message}`);
    return broken(error instanceof JsonBeyondLimit ? error.words : noObject);
  }
  if (!isJsonObject(value)) return broken(noObject);
  return { line, fields: form.object(value), value: "" };
}
