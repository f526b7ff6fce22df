import stringWidth from "fast-string-width";

const segmenter = new Intl.Segmenter();

/**
 * Wraps a text at `width` terminal columns, between words. A longer word is broken anywhere, or stays whole so that a
 * secret or a link can be copied, and the terminal folds it.
 */
export function wrapText(text: string, width: number, longer: "broken" | "whole" = "broken"): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((one) => (longer === "whole" ? [one] : pieces(one, width)))) {
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
