import stringWidth from "fast-string-width";

/**
 * A text in lines of at most `width` columns of the terminal, broken between words. A longer word stays whole, so that an address, a
 * secret or a link can be copied: the terminal folds it.
 */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && stringWidth(line) + 1 + stringWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line];
}
