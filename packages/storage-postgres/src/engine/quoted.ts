/** A name in double quotes for statements. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A schema's table by its full name, for statements. */
export const quotedTable = (schema: string, table: string): string => `${quoted(schema)}.${quoted(table)}`;
