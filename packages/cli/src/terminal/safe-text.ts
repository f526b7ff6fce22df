/** Control characters and those that turn the writing direction: what could repaint a terminal or make a line read otherwise. */
const hostile = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** A text from elsewhere, safe to show on one line of a terminal. */
export function safeText(text: string): string {
  return text.replace(hostile, "�");
}

/** A text of several lines and colours without what turns the writing direction. */
export function withoutTurns(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, "�");
}

/** A value as JSON on one line that is safe to show on a terminal, and means the same. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(hostile, escaped);
}

/** A value as indented JSON that is safe to show on a terminal, and means the same. */
export function safeJsonLines(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(hostile, (char) => (char === "\n" ? char : escaped(char)));
}

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
