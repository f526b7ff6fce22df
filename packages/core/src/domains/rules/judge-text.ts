import { fine, type Verdict, wrong } from "./verdict.ts";

/**
 * Recognises common mistakes with a record that must have exactly this value: added quotes, a truncated value, or a
 * value spread over several records. `undefined` if it is none of these.
 */
export function judgeTyping(texts: readonly string[], expected: string): Verdict | undefined {
  const wanted = tight(expected);
  if (texts.some((text) => tight(text) === wanted)) return undefined;
  if (texts.length > 1 && makeUp(texts.map(tight), wanted))
    return wrong(
      "in_pieces",
      "The value is spread over several records. Put it into one record: if the DNS panel accepts only 255 characters per field, use several strings in one record.",
    );
  if (texts.some((text) => tight(text.replace(/["\\]/g, "")) === wanted))
    return wrong("quoted", "Remove the quotes from the value: the DNS panel adds those that are needed.");
  const cut = texts.find((text) => text.length >= 40 && wanted.startsWith(tight(text.replace(/"/g, ""))));
  if (cut !== undefined)
    return wrong(
      "cut_short",
      `Only the first ${cut.length} of ${expected.length} characters are published. Split the value into strings of at most 255 characters each, within one record.`,
    );
  return undefined;
}

/** Judges the ownership record. Other values may be present, as each workspace with the domain has its own. */
export function judgeOwnership(texts: readonly string[], expected: string): Verdict {
  if (texts.some((text) => text.trim() === expected)) return fine;
  return (
    judgeTyping(texts, expected) ??
    wrong(
      "other_value",
      "The record has another value. Add a TXT record with the value shown; the other values may stay.",
    )
  );
}

/** Removes blanks, which typing errors add or drop, for comparison. */
const tight = (text: string): string => text.replace(/\s+/g, "");

/** Whether the pieces, in some order, make up the whole. Name servers return records in any order. */
function makeUp(pieces: readonly string[], whole: string): boolean {
  if (pieces.length === 0) return whole === "";
  const next = pieces.findIndex((piece) => piece !== "" && whole.startsWith(piece));
  const piece = pieces[next];
  if (piece === undefined) return false;
  return makeUp(pieces.toSpliced(next, 1), whole.slice(piece.length));
}
