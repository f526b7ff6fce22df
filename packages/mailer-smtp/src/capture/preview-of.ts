const unseen = /<(head|style|script|title)\b[\s\S]*?(?:<\/\1\s*>|$)|<!--[\s\S]*?(?:-->|$)|<[^<>]*>/gi;
const characters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };

/** Returns the start of a message's text, or of its HTML where it has none, on one line of at most 140 characters. */
export function previewOf({ text, html }: { text: string; html: string }): string {
  const start = text === "" ? withoutTags(html.slice(0, 20_000)) : text.slice(0, 1_000);
  return start.replace(/\s+/g, " ").trim().slice(0, 140);
}

function withoutTags(html: string): string {
  return html
    .replace(unseen, " ")
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (entity, name: string) => characters[name] ?? entity);
}
