import stringWidth from "fast-string-width";
import { wrapText } from "./wrap-text.ts";

/** A command that is a line, or ends a hint's line: it must stay whole so that it can be copied. */
const command = /^(|.*: )((?:curl|(?:npx )?posthorn) .*)$/;

/**
 * Wraps an error or a note at a terminal's width, between words. A command that does not fit gets an unbroken line of
 * its own, to be copied. In a pipe the text stays unchanged.
 */
export function fitMessage(
  text: string,
  { isTTY, columns }: { isTTY?: boolean; columns?: number } = process.stderr,
): string {
  if (isTTY !== true) return text;
  const width = columns || 80;
  return text
    .split("\n")
    .flatMap((line) => (stringWidth(line) <= width ? [line] : fitLine(line, width)))
    .join("\n");
}

function fitLine(line: string, width: number): string[] {
  const [, lead, called] = command.exec(line) ?? [];
  if (lead === "") return [line];
  if (lead !== undefined && called !== undefined)
    return [...wrapText(lead.trimEnd(), width, "whole"), `  ${called}`];
  const indent = /^ */.exec(line)?.[0] ?? "";
  return wrapText(line.slice(indent.length), Math.max(20, width - indent.length), "whole").map(
    (part) => `${indent}${part}`,
  );
}
