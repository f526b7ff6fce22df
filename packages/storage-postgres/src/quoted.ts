/** A name in double quotes for statements. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
