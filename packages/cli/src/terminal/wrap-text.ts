import stringWidth from "fast-string-width";

const segmenter = new Intl.Segmenter();

/** A text in lines of at most `width` columns of the terminal, broken between words; a longer word is broken anywhere. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((one) => pieces(one, width))) {
    if (line !== "" && stringWidth(line) + 1 + stringWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line];
}

function pieces(word: string, width: number): string[] {
  if (stringWidth(word) <= width) return [word];
  const parts: string[] = [];
  let part = "";
  for (const { segment } of segmenter.segment(word)) {
    if (part !== "" && stringWidth(part) + stringWidth(segment) > width) {
      parts.push(part);
      part = "";
    }
    part += segment;
  }
  return [...parts, part];
}
