import { inexactFault } from "../rules/inexact-numbers.ts";
import { type LineForm, type ReadLine, unreadable } from "./line-form.ts";

const noObject = "is not a JSON object";

/** Parses NDJSON, one JSON object per line. Throws as `readLines` does. */
export async function* readNdjson<T>(
  content: AsyncIterable<Uint8Array>,
  form: LineForm<T>,
): AsyncGenerator<ReadLine<T>> {
  const decoder = new TextDecoder();
  let rest = "";
  let line = 0;
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > form.maxLineBytes) throw unreadable(line + lines.length + 1, "the line is too long");
    for (const text of lines) {
      line += 1;
      if (text.trim() !== "") yield parseLine(line, text, form);
    }
  }
  rest += decoder.decode();
  if (rest.trim() !== "") yield parseLine(line + 1, rest, form);
}

function parseLine<T>(line: number, text: string, form: LineForm<T>): ReadLine<T> {
  const broken = (fault: string) => ({ line, fields: undefined, value: text.trim().slice(0, 200), fault });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return broken(noObject);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return broken(noObject);
  const fault = inexactFault(text);
  if (fault !== undefined) return broken(fault);
  return { line, fields: form.object(value as Record<string, unknown>), value: "" };
}
