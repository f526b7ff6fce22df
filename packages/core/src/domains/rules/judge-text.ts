import { fine, type Verdict, wrong } from "./verdict.ts";

/**
 * Which common mistake was made with a record that should hold exactly this value: quotes typed along, the value cut off, or the value
 * spread over several records. `undefined` for none of these.
 */
export function judgeTyping(texts: readonly string[], expected: string): Verdict | undefined {
  const wanted = tight(expected);
  if (texts.some((text) => tight(text) === wanted)) return undefined;
  const [first = ""] = texts;
  if (texts.length > 1 && makeUp(texts.map(tight), wanted))
    return wrong(
      "in_pieces",
      "The value stands in several records. Put it into one: a panel that takes only 255 characters a field wants one record of several strings.",
    );
  if (/["\\]/.test(first) && tight(first.replace(/["\\]/g, "")) === wanted)
    return wrong("quoted", "Take the quotes out of the value: the panel adds those that are needed.");
  if (first.length >= 40 && wanted.startsWith(tight(first.replace(/"/g, ""))))
    return wrong(
      "cut_short",
      `Only the first ${first.length} of ${expected.length} characters are there. Split the value into strings of at most 255 characters each, within one record.`,
    );
  return undefined;
}

/** What the ownership record comes to: others may stand beside it, as each workspace that has the domain has its own. */
export function judgeOwnership(texts: readonly string[], expected: string): Verdict {
  if (texts.some((text) => text.trim() === expected)) return fine;
  return (
    judgeTyping(texts, expected) ??
    wrong(
      "other_value",
      "Another value stands there. Add a TXT record with the value shown; others may stay.",
    )
  );
}

/** Blanks mean nothing where a value is compared by what was meant. */
const tight = (text: string): string => text.replace(/\s+/g, "");

/** Whether the pieces in some order are the whole. Name servers answer records in any order. */
function makeUp(pieces: readonly string[], whole: string): boolean {
  if (pieces.length === 0) return whole === "";
  const next = pieces.findIndex((piece) => piece !== "" && whole.startsWith(piece));
  const piece = pieces[next];
  if (piece === undefined) return false;
  return makeUp(pieces.toSpliced(next, 1), whole.slice(piece.length));
}
