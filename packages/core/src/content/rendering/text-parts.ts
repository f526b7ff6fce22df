/**
 * A rendered text in parts: literals, which are the same in every mail of a content, and values between them. A writer
 * of many mails may cache the encoded literals by the identity of their list.
 */
export interface TextParts {
  /** The constant literals. The list is the same object for all mails of one content. */
  readonly literals: readonly string[];
  /** The text in order: a number is an index into the literals, a string is a value, escaped if needed. */
  readonly parts: readonly (number | string)[];
}

/**
 * Joins the parts to the complete text, and at once: of text that was appended piece by piece, V8 writes JSON by its slow
 * way, such as the answer to a send, which has the subject.
 */
export function joinParts({ literals, parts }: TextParts): string {
  const pieces: string[] = [];
  for (const part of parts) pieces.push(typeof part === "number" ? (literals[part] ?? "") : part);
  return pieces.join("");
}
