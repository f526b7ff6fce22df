/**
 * Returns what keeps storages from holding a text as it is, as words that follow its name; `undefined` if nothing does.
 * On PostgreSQL a NUL becomes another character, and SQLite's `like` reads a text up to one: an erasure found no address
 * behind it. Both keep half of a surrogate pair as another character.
 */
export function unstorableText(text: string): string | undefined {
  if (text.includes("\0")) return "contains a NUL character";
  return text.isWellFormed() ? undefined : "contains half of a surrogate pair";
}
