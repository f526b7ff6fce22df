/**
 * Control characters and those that change the writing direction: they could repaint a terminal or change how a line
 * reads.
 */
const hostile = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Makes a text from elsewhere safe to show on one line of a terminal. */
export function safeText(text: string): string {
  return text.replace(hostile, "�");
}

/**
 * Makes a text of several lines that somebody else wrote safe to show, if it is written to a terminal: one could write to
 * its clipboard. Programs get it unchanged.
 */
export function shownText(text: string, { isTTY }: { isTTY?: boolean } = process.stdout): string {
  return isTTY === true
    ? text.replace(/(?![\n\t]|\r\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, "�")
    : text;
}

/** Removes characters that change the writing direction from a text with several lines and colours. */
export function withoutTurns(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, "�");
}

/** Returns a value as one line of equivalent JSON that is safe to show on a terminal. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(hostile, escaped);
}

/** Returns a value as indented, equivalent JSON that is safe to show on a terminal. */
export function safeJsonLines(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(hostile, (char) => (char === "\n" ? char : escaped(char)));
}

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
