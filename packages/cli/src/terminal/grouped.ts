/** Writes a number with its thousands apart: `1,200`. */
export const grouped = (value: number): string => value.toLocaleString("en");
