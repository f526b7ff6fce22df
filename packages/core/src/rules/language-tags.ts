/** Whether the text is a well-formed BCP 47 language tag, such as `en`, `pt-BR` or `zh-Hant-TW`. */
export function isLanguageTag(tag: string): boolean {
  if (tag.length > 64) return false;
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
