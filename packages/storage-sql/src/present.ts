/** A column's value as the port has it: absence is `undefined`. */
export const present = <T>(value: T | null): T | undefined => (value === null ? undefined : value);
