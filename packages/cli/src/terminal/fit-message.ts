import stringWidth from "fast-string-width";
import { wrapText } from "./wrap-text.ts";

/** What is to be copied as it stands: the command, at the end of a line, that a hint names. */
const command = /^(.*: )((?:npx )?posthorn .*)$/;

/**
 * An error or a remark in lines of a terminal's width, broken between words. A command that does not fit stands on a line of its own and unbroken,
 * to be copied. A pipe gets the text as it is.
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
  if (lead !== undefined && called !== undefined)
    return [...wrapText(lead.trimEnd(), width, "whole"), `  ${called}`];
  const indent = /^ */.exec(line)?.[0] ?? "";
  return wrapText(line.slice(indent.length), Math.max(20, width - indent.length), "whole").map(
    (part) => `${indent}${part}`,
  );
}
