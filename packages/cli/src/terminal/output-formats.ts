/** Formats of data, for people or for programs. */
export const outputFormats = ["table", "json", "ndjson", "csv"] as const;

/** Format of data. */
export type OutputFormat = (typeof outputFormats)[number];
