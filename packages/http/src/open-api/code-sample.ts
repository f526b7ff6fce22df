/** A code sample of a call in one language, for API references. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}
