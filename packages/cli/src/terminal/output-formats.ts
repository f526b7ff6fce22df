/** How data looks: for people, or for programs. */
export const outputFormats = ["table", "json", "jsonl", "csv"] as const;

/** How data looks. */
export type OutputFormat = (typeof outputFormats)[number];
