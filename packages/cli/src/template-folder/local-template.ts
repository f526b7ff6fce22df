/** A template as its files define it; fields that no file has are `undefined`. */
export interface LocalTemplate {
  html?: string;
  text?: string;
  subject?: string;
  description?: string;
  defaultLanguage?: string;
  sampleData?: Record<string, unknown>;
}
