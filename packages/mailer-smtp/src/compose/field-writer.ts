import { encodeWords } from "./encode-words.ts";

/** Characters to which lines are folded. */
export const preferredLine = 76;
/** With less room than this, a first encoded-word would exceed its line. */
const leastRoom = 30;

/** Writes one header field word by word, in lines of at most 76 characters unless a word is longer. */
export interface FieldWriter {
  /** Writes a word after the given blanks, one by default. */
  put(word: string, blanks?: string): void;
  putAll(words: readonly string[]): void;
  /** Writes text as encoded-words (RFC 2047), each but the first on a line of its own. */
  putEncoded(text: string): void;
  /** The finished field with its line end. */
  end(): string;
}

export function createFieldWriter(name: string): FieldWriter {
  let field = name + ":";
  let column = field.length;
  let isEmpty = true;
  const put = (word: string, blanks = " "): void => {
    // Never folds before the first word: old software misreads a field whose first line is empty.
    if (column + blanks.length + word.length > preferredLine && !isEmpty && column > 0) {
      field += "\r\n";
      column = 0;
    }
    field += blanks + word;
    column += blanks.length + word.length;
    isEmpty = false;
  };
  const putAll = (words: readonly string[]): void => {
    for (const word of words) put(word);
  };
  return {
    put,
    putAll,
    putEncoded(text) {
      if (preferredLine - column - 1 < leastRoom) {
        // After a long field name only this keeps within the line length; the first line still holds the name.
        field += "\r\n";
        column = 0;
      }
      putAll(encodeWords(text, column + 1));
    },
    end: () => (isEmpty ? `${field} \r\n` : `${field}\r\n`),
  };
}
