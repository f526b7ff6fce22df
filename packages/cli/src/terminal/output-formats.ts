/** Formats of data, for people or for programs. */
export const outputFormats = ["table", "json", "ndjson", "csv"] as const;

/** Format of data. */
export type OutputFormat = (typeof outputFormats)[number];

/** Tools for which DNS records can be written. */
export const recordForms = ["zone", "terraform", "cloudflare"] as const;

/** A tool for which DNS records can be written. */
export type RecordForm = (typeof recordForms)[number];
