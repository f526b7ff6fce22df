/** Converts a column's value for the port: `null` becomes `undefined`. */
export const present = <T>(value: T | null): T | undefined => (value === null ? undefined : value);
