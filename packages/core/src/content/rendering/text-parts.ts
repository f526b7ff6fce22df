/**
 * A rendered text as its template made it: literals, which are the same in every mail of a content, and values between them. Whoever
 * writes many mails may keep what a literal becomes, by the list that it stands in.
 */
export interface TextParts {
  /** What never changes: the same list, by identity, for each mail of one content. */
  readonly literals: readonly string[];
  /** The text in order: a number is the place of a literal in the list, a string is a value, escaped where need be. */
  readonly parts: readonly (number | string)[];
}

/** The text that the parts make. */
export function joinParts({ literals, parts }: TextParts): string {
  let text = "";
  for (const part of parts) text += typeof part === "number" ? literals[part] : part;
  return text;
}
