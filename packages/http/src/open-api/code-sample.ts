/** A call written down in one language, as references show it. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}
