/** Length of the longest entity that a character is replaced by. */
export const longestEntity = "&quot;".length;

/** Escapes `& < > " '` for HTML text and quoted attributes. A string without them is returned unchanged. */
export function escapeHtml(text: string): string {
  const length = text.length;
  let output = "";
  let copied = 0;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    // All five characters are below 63, so that most letters cost one comparison.
    if (code > 62) continue;
    const entity = entityOf(code);
    if (entity === "") continue;
    output += text.slice(copied, index) + entity;
    copied = index + 1;
  }
  return copied === 0 ? text : output + text.slice(copied);
}

function entityOf(code: number): string {
  switch (code) {
    case 38:
      return "&amp;";
    case 60:
      return "&lt;";
    case 62:
      return "&gt;";
    case 34:
      return "&quot;";
    case 39:
      return "&#39;";
    default:
      return "";
  }
}
