import { beginningOf } from "@posthorn/core/internal";

const unseen = /<(head|style|script|title)\b[\s\S]*?(?:<\/\1\s*>|$)|<!--[\s\S]*?(?:-->|$)|<[^<>]*>/gi;
const characters: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", "#39": "'" };

/** Returns the start of a message's text, or of its HTML where it has none, on one line of at most 140 characters. */
export function previewOf({ text, html }: { text: string; html: string }): string {
  const start = text === "" ? withoutTags(beginningOf(html, 20_000)) : beginningOf(text, 1_000);
  return beginningOf(start.replace(/\s+/g, " ").trim(), 140);
}

function withoutTags(html: string): string {
  return html
    .replace(unseen, " ")
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (entity, name: string) => characters[name] ?? entity);
}
