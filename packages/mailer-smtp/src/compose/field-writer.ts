import { encodeWords } from "./encode-words.ts";

const preferredLine = 76;
/** Below this much room a first encoded-word would stand out of its line. */
const leastRoom = 30;

/** Writes one header field word by word, in lines of 76 characters wherever a word is not longer than that. */
export interface FieldWriter {
  /** Puts a word, after one blank or the blanks given. */
  put(word: string, blanks?: string): void;
  putAll(words: readonly string[]): void;
  /** Puts text as encoded-words (RFC 2047), each on a line of its own but the first. */
  putEncoded(text: string): void;
  /** The field with its line end. */
  end(): string;
}

export function createFieldWriter(name: string): FieldWriter {
  let field = name + ":";
  let column = field.length;
  let isEmpty = true;
  const put = (word: string, blanks = " "): void => {
    // Not before the first word: software of old misreads a field whose first line is empty.
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
        // After a long name there is no other way to keep within the line; the first line holds the name at least.
        field += "\r\n";
        column = 0;
      }
      putAll(encodeWords(text, column + 1));
    },
    end: () => (isEmpty ? `${field} \r\n` : `${field}\r\n`),
  };
}
