/** A template as its files say; what no file says is `undefined`. */
export interface LocalTemplate {
  html?: string;
  text?: string;
  subject?: string;
  description?: string;
  defaultLanguage?: string;
  sampleData?: Record<string, unknown>;
}
