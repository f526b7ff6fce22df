import stringWidth from "fast-string-width";
import { wrapText } from "./wrap-text.ts";

/** Width of help: a terminal's; in a pipe, which may end in a pager, that of `COLUMNS`, or 80. */
export function helpWidth(
  { columns }: { columns?: number } = process.stdout,
  env: NodeJS.ProcessEnv = process.env,
): number {
  const wished = Number(env["COLUMNS"]);
  return columns || (Number.isInteger(wished) && wished >= narrowest ? wished : 80);
}

/** Narrowest `COLUMNS` that is obeyed: below, nothing is left for descriptions. */
const narrowest = 30;

/**
 * Fits a help text to a terminal's width: wide paragraphs are wrapped, and command lines in examples are folded with a
 * backslash, as a shell accepts. Lines that fit stay unchanged.
 */
export function fitHelp(text: string, width: number): string {
  return text
    .split(/(\n{2,})/)
    .map((part) =>
      part.split("\n").every((line) => stringWidth(line) <= width) ? part : fitPart(part, width),
    )
    .join("");
}

/** Fits lines without a blank one between them: indented ones are commands, the others one paragraph. */
function fitPart(part: string, width: number): string {
  const fitted: string[] = [];
  let prose: string[] = [];
  const flush = (): void => {
    if (prose.length > 0) fitted.push(...wrapText(prose.join(" "), width));
    prose = [];
  };
  for (const line of part.split("\n")) {
    const isTitle = /^(?:Examples?|Arguments|Options|Commands|Usage):/.test(line);
    if (!line.startsWith(" ") && line !== "" && !isTitle) prose.push(line);
    else {
      flush();
      fitted.push(...(line.startsWith(" ") ? foldCommand(line, width) : foldUsage(line, width)));
    }
  }
  flush();
  return fitted.join("\n");
}

/** Folds a usage, with continued arguments below each other. */
function foldUsage(line: string, width: number): string[] {
  const title = /^Usage: /.exec(line)?.[0] ?? "";
  if (title === "" || stringWidth(line) <= width) return [line];
  const [first = "", ...more] = wrapText(line.slice(title.length), width - title.length);
  return [title + first, ...more.map((part) => " ".repeat(title.length) + part)];
}

/** Splits a command line into words, and keeps quoted ones whole. */
const words = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g;

function foldCommand(line: string, width: number): string[] {
  if (stringWidth(line) <= width) return [line];
  const indent = /^ */.exec(line)?.[0] ?? "";
  // An option stays with its value.
  const parts = (line.match(words) ?? []).reduce<string[]>((parts, word) => {
    const last = parts.at(-1);
    if (last !== undefined && /^--[\w-]+$|^[|>]$/.test(last) && !word.startsWith("-"))
      parts[parts.length - 1] = `${last} ${word}`;
    else parts.push(word);
    return parts;
  }, []);
  const lines: string[] = [];
  let current = indent;
  for (const part of parts) {
    const joined = current.trim() === "" ? `${current}${part}` : `${current} ${part}`;
    if (current.trim() !== "" && stringWidth(joined) > width - 2) {
      lines.push(`${current} \\`);
      current = `${indent}  ${part}`;
    } else current = joined;
  }
  return [...lines, current];
}
